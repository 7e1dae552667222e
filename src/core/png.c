/* png.c - PNG files
 *
 * libpng reports errors through a function that must not return; it jumps back.  What lives across the jump is kept in a
 * struct behind a pointer, so that no local variable can be clobbered.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/image.h"

#define MAX_SIDE 16384u

struct job {
	FILE *file;
	png_structp png;
	png_infop info;
	png_bytep *rows;
	struct qs_image image;
	char text[200]; /* libpng's complaint */
};

static void complain(png_structp png, png_const_charp message)
{
	struct job *job = png_get_error_ptr(png);

	snprintf(job->text, sizeof job->text, "%s", message);
	png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

static bool open_file(struct job *job, const char *path, const char *mode, struct qs_error *error)
{
	memset(job, 0, sizeof *job);
	job->file = fopen(path, mode);
	if (!job->file)
		qs_error_set(error, QS_ERR_IO, 0, "Cannot %s \"%s\": %s.", *mode == 'r' ? "read" : "write", path, strerror(errno));
	return job->file != NULL;
}

static bool make_rows(struct job *job, const struct qs_image *image)
{
	job->rows = malloc((image->height ? image->height : 1) * sizeof *job->rows);
	for (uint32_t y = 0; job->rows && y < image->height; y++)
		job->rows[y] = image->rgba + (size_t)y * image->width * 4;
	return job->rows != NULL;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------ */

static bool write_job(struct job *job, const struct qs_image *image)
{
	if (setjmp(png_jmpbuf(job->png)))
		return false;
	png_init_io(job->png, job->file);
	png_set_IHDR(job->png, job->info, image->width, image->height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
		PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_compression_level(job->png, 3);
	png_write_info(job->png, job->info);
	png_write_image(job->png, job->rows);
	png_write_end(job->png, NULL);
	return true;
}

bool qs_image_write_png(const struct qs_image *image, const char *path, struct qs_error *error)
{
	struct job job;
	bool ok = false;

	if (!image->width || !image->height) {
		qs_error_set(error, QS_ERR_RANGE, 0, "A picture without pixels cannot be written to \"%s\".", path);
		return false;
	}
	if (!open_file(&job, path, "wb", error))
		return false;
	job.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, complain, ignore);
	job.info = job.png ? png_create_info_struct(job.png) : NULL;
	if (job.info && make_rows(&job, image))
		ok = write_job(&job, image);
	png_destroy_write_struct(&job.png, &job.info);
	free(job.rows);
	if (fclose(job.file) && ok) {
		snprintf(job.text, sizeof job.text, "%s", strerror(errno));
		ok = false;
	}
	if (!ok)
		qs_error_set(error, QS_ERR_IO, 0, "Cannot write the picture \"%s\": %s.", path, *job.text ? job.text : "no memory");
	return ok;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

/* Any PNG becomes 8-bit RGBA. */
static void set_transforms(struct job *job)
{
	png_set_expand(job->png);
	png_set_scale_16(job->png);
	png_set_gray_to_rgb(job->png);
	png_set_add_alpha(job->png, 255, PNG_FILLER_AFTER);
	png_set_interlace_handling(job->png);
	png_read_update_info(job->png, job->info);
}

static bool read_job(struct job *job)
{
	if (setjmp(png_jmpbuf(job->png)))
		return false;
	png_set_user_limits(job->png, MAX_SIDE, MAX_SIDE);
	png_init_io(job->png, job->file);
	png_read_info(job->png, job->info);
	set_transforms(job);
	uint32_t width = png_get_image_width(job->png, job->info), height = png_get_image_height(job->png, job->info);
	if (png_get_rowbytes(job->png, job->info) != (size_t)width * 4)
		png_error(job->png, "its pixels cannot be turned into RGBA");
	if (!image_create(&job->image, width, height, false, NULL) || !make_rows(job, &job->image))
		png_error(job->png, "no memory");
	memset(job->image.rgba, 0, (size_t)width * height * 4);
	png_read_image(job->png, job->rows);
	png_read_end(job->png, NULL);
	return true;
}

bool qs_image_read_png(struct qs_image *image, const char *path, struct qs_error *error)
{
	struct job job;
	bool ok = false;

	memset(image, 0, sizeof *image);
	if (!open_file(&job, path, "rb", error))
		return false;
	job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, complain, ignore);
	job.info = job.png ? png_create_info_struct(job.png) : NULL;
	if (job.info)
		ok = read_job(&job);
	png_destroy_read_struct(&job.png, &job.info, NULL);
	free(job.rows);
	fclose(job.file);
	if (ok) {
		*image = job.image;
		return true;
	}
	qs_image_finish(&job.image);
	qs_error_set(error, QS_ERR_FORMAT, 0, "\"%s\" cannot be read as a PNG picture: %s.", path, *job.text ? job.text : "no memory");
	return false;
}
