/* check_pictures.c - every frame of every capture against the reference pictures
 *
 * With the dolphin model, the display copy after YUV 4:2:2 is compared with NAME.swr.png, NAME.2.swr.png ...  Captures of one
 * feature must be equal in every pixel, recorded ones in 99.5 % of them and 99.9 % in the median, unless they are in the list
 * of exceptions below, whose reasons are in docs/deviations.md.  pictures.html in the build folder shows result, reference and
 * difference side by side, and the same frame in the other models.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <sys/stat.h>

#include "corpus.h"
#include "quadscope.h"

#define TOLERANCE 8

static const struct exception {
	const char *capture;
	double at_least; /* percent: what is reached all the same */
	const char *reason; /* heading in docs/deviations.md */
} exceptions[] = {
#include "pictures/exceptions.def"
	{NULL, 0, NULL},
};

struct outcome {
	const struct corpus_file *file;
	int frames; /* compared */
	double worst, mean_equal; /* percent of equal pixels */
	bool failed;
};

static FILE *html;
static char folder[600]; /* of pictures.html */

static const struct exception *find_exception(const char *name)
{
	for (const struct exception *e = exceptions; e->capture; e++)
		if (!strcmp(e->capture, name))
			return e;
	return NULL;
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 100.0;
}

/* ---- the report --------------------------------------------------------------------------------------------------------- */

static void open_report(void)
{
	const char *build = getenv("QS_BUILDDIR");
	char path[700];

	snprintf(folder, sizeof folder, "%s", build ? build : ".");
	snprintf(path, sizeof path, "%s/pictures", folder);
	mkdir(path, 0777);
	snprintf(path, sizeof path, "%s/pictures.html", folder);
	html = fopen(path, "w");
	if (!html) {
		printf("cannot write %s: %s\n", path, strerror(errno));
		return;
	}
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Quadscope: pictures</title>\n"
	      "<style>body{font:14px sans-serif;background:#222;color:#ddd;margin:1em}table{border-collapse:collapse}"
	      "td,th{padding:4px 8px;text-align:right;vertical-align:top}td:first-child{text-align:left}"
	      "img{width:320px;image-rendering:pixelated;background:#000;display:block}.bad{color:#f66}.good{color:#8d8}"
	      "a{color:#9cf}</style>\n<h1>Result, reference, difference</h1>\n"
	      "<p>Model dolphin, display copy after YUV 4:2:2, against Dolphin's software renderer; differences are amplified.  Then "
	      "the other models, with the part of pixels that are equal to the dolphin model's.</p>\n"
	      "<table><tr><th>capture<th>frame<th>equal %<th>within 8 %<th>max<th>mean<th>result<th>reference<th>difference", html);
	for (enum qs_model model = 0; model < QS_MODEL_COUNT; model++)
		if (model != QS_MODEL_DOLPHIN)
			fprintf(html, "<th>equal %%<th>%s", qs_model_name(model));
	fputc('\n', html);
	fflush(html);
}

static void save(const char *name, int frame, const char *what, const struct qs_image *image)
{
	char path[900];
	struct qs_error error;

	snprintf(path, sizeof path, "%s/pictures/%s.%d.%s.png", folder, name, frame, what);
	if (!qs_image_write_png(image, path, &error))
		printf("%s\n", error.text);
	if (html)
		fprintf(html, "<td><a href=\"pictures/%s.%d.%s.png\"><img src=\"pictures/%s.%d.%s.png\" alt=\"%s\"></a>", name, frame, what, name,
			frame, what, what);
}

/* ---- one frame ---------------------------------------------------------------------------------------------------------- */

/* The player that made the references shows an even number of lines; it stretched a copy of 479 lines to 480. */
static void make_even(struct qs_image *image, const struct qs_image *reference)
{
	uint32_t old = image->height, even = old + 1;
	size_t line = (size_t)image->width * 4;
	uint8_t *rgba;

	if (!(old & 1) || reference->height != even || !(rgba = malloc(line * even)))
		return;
	for (uint32_t y = 0; y < even; y++)
		memcpy(rgba + y * line, image->rgba + (2 * y + 1) * old / (2 * even) * line, line);
	free(image->rgba);
	image->rgba = rgba;
	image->height = even;
}

/* A capture of one feature is drawn as Dolphin does to the pixel; a recorded frame may have a few others. */
static double must_be_equal(const struct corpus_file *file)
{
	const struct exception *e = find_exception(file->name);

	return e ? e->at_least : file->recorded ? 99.5 : 100;
}

static void report(struct outcome *o, int frame, const struct qs_image_difference *d, const struct qs_image *result,
	const struct qs_image *reference, const struct qs_image *difference)
{
	const char *name = o->file->name;
	double equal = percent(d->equal, d->pixels);
	bool bad = equal < must_be_equal(o->file);

	printf("%-28s %5d %9.4f %9.2f %5u %8.3f%s\n", name, frame, equal, percent(d->within, d->pixels), d->maximum, d->mean,
		bad ? "  <-- too few" : find_exception(name) ? "  (exception)" : "");
	if (!html)
		return;
	fprintf(html, "<tr><td>%s<td>%d<td class=\"%s\">%.4f<td>%.2f<td>%u<td>%.3f", name, frame, bad ? "bad" : "good", equal,
		percent(d->within, d->pixels), d->maximum, d->mean);
	save(name, frame, "result", result);
	save(name, frame, "reference", reference);
	save(name, frame, "difference", difference);
}

/* The frame in another model. */
static void report_model(struct qs_timeline *t, struct outcome *o, int frame, enum qs_model model, const struct qs_image *result)
{
	struct qs_moment m = {.level = QS_LEVEL_FRAME, .frame = (uint32_t)frame};
	struct qs_image image = {0};
	struct qs_image_difference d;
	struct qs_error error = {0};

	qs_timeline_set_model(t, model);
	if (!qs_timeline_seek(t, &m, &error) || !qs_timeline_image(t, QS_BUFFER_XFB, &image, &error)) {
		printf("%-28s %5d failed in model %s: %s\n", o->file->name, frame, qs_model_name(model), error.text);
		o->failed = true;
	} else if (html) {
		make_even(&image, result);
		if (qs_image_compare(&image, result, TOLERANCE, &d, NULL, &error))
			fprintf(html, "<td>%.2f", percent(d.equal, d.pixels));
		else
			fputs("<td>other size", html);
		save(o->file->name, frame, qs_model_name(model), &image);
	}
	qs_image_finish(&image);
	qs_timeline_set_model(t, QS_MODEL_DOLPHIN);
}

static bool compare_frame(struct qs_timeline *t, struct outcome *o, int frame, const char *reference_path)
{
	struct qs_moment m = {.level = QS_LEVEL_FRAME, .frame = (uint32_t)frame};
	struct qs_image result = {0}, reference = {0}, difference = {0};
	struct qs_image_difference d;
	struct qs_error error = {0};
	bool ok = qs_timeline_seek(t, &m, &error) && qs_timeline_image(t, QS_BUFFER_XFB, &result, &error) &&
		qs_image_read_png(&reference, reference_path, &error);

	if (ok)
		make_even(&result, &reference);
	ok = ok && qs_image_compare(&result, &reference, TOLERANCE, &d, &difference, &error);
	if (ok) {
		double equal = percent(d.equal, d.pixels);
		report(o, frame, &d, &result, &reference, &difference);
		for (enum qs_model model = 0; model < QS_MODEL_COUNT; model++)
			if (model != QS_MODEL_DOLPHIN)
				report_model(t, o, frame, model, &result);
		if (html)
			fputc('\n', html);
		o->worst = !o->frames || equal < o->worst ? equal : o->worst;
		o->mean_equal += equal;
		o->frames++;
	} else {
		printf("%-28s %5d failed: %s\n", o->file->name, frame, error.text);
		o->failed = true;
	}
	qs_image_finish(&result);
	qs_image_finish(&reference);
	qs_image_finish(&difference);
	return ok;
}

static void compare_capture(struct outcome *o)
{
	char path[800], suffix[32];
	struct qs_error error = {0};
	struct qs_capture *capture = qs_capture_open(corpus_path(o->file, ".dff", path, sizeof path), NULL, NULL, &error);
	struct qs_timeline *t = capture ? qs_timeline_create(capture, &error) : NULL;

	if (!t) {
		printf("%-28s       failed: %s\n", o->file->name, error.text);
		o->failed = true;
	} else {
		qs_timeline_set_model(t, QS_MODEL_DOLPHIN);
	}
	for (uint32_t frame = 1; t && frame <= qs_capture_info(capture)->frame_count; frame++) {
		if (frame == 1)
			snprintf(suffix, sizeof suffix, ".swr.png");
		else
			snprintf(suffix, sizeof suffix, ".%u.swr.png", frame);
		corpus_path(o->file, suffix, path, sizeof path);
		FILE *there = fopen(path, "rb");
		if (!there)
			continue;
		fclose(there);
		compare_frame(t, o, (int)frame, path);
	}
	qs_timeline_destroy(t);
	qs_capture_destroy(capture);
	if (o->frames)
		o->mean_equal /= o->frames;
}

/* ---- the verdict -------------------------------------------------------------------------------------------------------- */

static int by_equal(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* One capture; true: it is as it must be. */
static bool judge_capture(const struct outcome *o)
{
	const struct exception *e = find_exception(o->file->name);
	double limit = must_be_equal(o->file);

	if (o->failed) {
		printf("FAIL %s: not compared\n", o->file->name);
		return false;
	}
	if (o->frames && o->worst < limit) {
		printf("FAIL %s: %.4f %% of the pixels equal, at least %.1f %% expected%s%s\n", o->file->name, o->worst, limit,
			e ? "; exception: " : "", e ? e->reason : "");
		return false;
	}
	if (e && o->worst >= 100) {
		printf("FAIL %s: all pixels are equal: the exception \"%s\" is no longer needed\n", o->file->name, e->reason);
		return false;
	}
	return true;
}

/* Of the captures of one kind, or prints nothing when there are none; false: the median is too low. */
static bool judge_median(const struct outcome *o, int count, bool recorded)
{
	double *equal = calloc((size_t)count + 1, sizeof *equal);
	const char *kind = recorded ? "recorded captures" : "captures of one feature";
	int n = 0;

	for (int i = 0; i < count; i++)
		if (o[i].frames && o[i].file->recorded == recorded)
			equal[n++] = o[i].mean_equal;
	qsort(equal, (size_t)n, sizeof *equal, by_equal);
	double median = n ? equal[n / 2] : 100, lowest = n ? equal[0] : 100;
	if (n) {
		printf("%d %s: median of equal pixels %.4f %%, lowest %.4f %%\n", n, kind, median, lowest);
		if (html)
			fprintf(html, "<p>%d %s: median of equal pixels %.4f %%, lowest %.4f %%</p>\n", n, kind, median, lowest);
	}
	free(equal);
	return median >= 99.9;
}

static int judge(const struct outcome *o, int count)
{
	bool good = true, compared = false;

	for (int i = 0; i < count; i++) {
		good &= judge_capture(&o[i]);
		compared |= o[i].frames > 0;
	}
	if (html)
		fputs("</table>\n", html);
	good &= judge_median(o, count, false);
	good &= judge_median(o, count, true);
	if (html)
		fputs("</html>\n", html);
	if (!compared)
		return 77; /* skipped */
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Names on the command line choose captures. */
static bool chosen(const char *name, int argc, char **argv)
{
	bool any = argc < 2;

	for (int i = 1; i < argc; i++)
		any |= !strcmp(argv[i], name);
	return any;
}

int main(int argc, char **argv)
{
	struct corpus corpus = corpus_find(false);
	struct outcome *outcome = calloc((size_t)corpus.count + 1, sizeof *outcome);
	int count = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!corpus.outside)
		printf("Only the shipped captures: set QS_CORPUS to a folder with real/ and synthetic/ for more.\n");
	open_report();
	printf("%-28s %5s %9s %9s %5s %8s\n", "capture", "frame", "equal %", "within 8", "max", "mean");
	for (int i = 0; i < corpus.count; i++) {
		if (!chosen(corpus.file[i].name, argc, argv))
			continue;
		outcome[count].file = &corpus.file[i];
		compare_capture(&outcome[count++]);
	}
	int status = judge(outcome, count);
	if (html)
		fclose(html);
	free(outcome);
	free(corpus.file);
	return status;
}
