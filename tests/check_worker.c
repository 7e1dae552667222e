/* check_worker.c - the engine thread of the window, without a display: order, replacement and owners of its jobs
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "qs-worker.h"

typedef struct {
	GMutex gate; /* held: the first job waits */
	gint runs, dones, frees;
	guint order[64];
	guint ordered;
	gint last;
} Counts;

typedef struct {
	Counts *counts;
	int number;
	gboolean waits;
} Job;

static gboolean job_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	Job *job = data;

	(void)worker;
	(void)engine;
	(void)error;
	if (job->waits)
		g_mutex_lock(&job->counts->gate);
	if (job->waits)
		g_mutex_unlock(&job->counts->gate);
	g_atomic_int_inc(&job->counts->runs);
	if (job->counts->ordered < G_N_ELEMENTS(job->counts->order))
		job->counts->order[job->counts->ordered++] = (guint)job->number;
	return TRUE;
}

static void job_done(gpointer data, const struct qs_error *error, gpointer user)
{
	Job *job = data;

	(void)user;
	ck_assert_ptr_null(error);
	job->counts->dones++;
	job->counts->last = job->number;
}

static void job_free(gpointer data)
{
	Job *job = data;

	job->counts->frees++;
	g_free(job);
}

static void push(QsWorker *worker, Counts *counts, int number, gconstpointer lane, gboolean urgent, GObject *owner)
{
	Job *job = g_new0(Job, 1);

	job->counts = counts;
	job->number = number;
	job->waits = number == 0;
	qs_worker_push(worker, &(QsJob){.lane = lane, .urgent = urgent, .run = job_run, .done = job_done, .owner = owner,
		.data = job, .destroy = job_free});
}

static void drain(Counts *counts, int frees)
{
	const gint64 end = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;

	while (counts->frees < frees && g_get_monotonic_time() < end)
		if (!g_main_context_iteration(NULL, FALSE))
			g_usleep(500);
	ck_assert_int_eq(counts->frees, frees);
}

START_TEST(worker_lanes)
{
	static const char lane;
	Counts counts = {0};
	QsWorker *worker = qs_worker_new();

	g_mutex_init(&counts.gate);
	g_mutex_lock(&counts.gate);
	push(worker, &counts, 0, NULL, FALSE, NULL); /* keeps the thread busy */
	for (int i = 1; i <= 100; i++)
		push(worker, &counts, i, &lane, FALSE, NULL);
	g_mutex_unlock(&counts.gate);
	drain(&counts, 101);
	ck_assert_int_eq(counts.runs, 2);
	ck_assert_int_eq(counts.dones, 2);
	ck_assert_int_eq(counts.last, 100);
	qs_worker_free(worker);
	g_mutex_clear(&counts.gate);
}
END_TEST

START_TEST(worker_running_is_replaced)
{
	static const char lane;
	Counts counts = {0};
	QsWorker *worker = qs_worker_new();

	g_mutex_init(&counts.gate);
	g_mutex_lock(&counts.gate);
	push(worker, &counts, 0, &lane, FALSE, NULL);
	while (!qs_worker_busy(worker))
		g_usleep(200);
	push(worker, &counts, 1, &lane, FALSE, NULL); /* the answer of 0 is late now */
	g_mutex_unlock(&counts.gate);
	drain(&counts, 2);
	ck_assert_int_eq(counts.runs, 2);
	ck_assert_int_eq(counts.dones, 1);
	ck_assert_int_eq(counts.last, 1);
	qs_worker_free(worker);
	g_mutex_clear(&counts.gate);
}
END_TEST

START_TEST(worker_urgent_and_owner)
{
	Counts counts = {0};
	QsWorker *worker = qs_worker_new();
	GObject *owner = g_object_new(G_TYPE_OBJECT, NULL);
	static const guint want[] = {0, 3, 4, 1, 2};

	g_mutex_init(&counts.gate);
	g_mutex_lock(&counts.gate);
	push(worker, &counts, 0, NULL, FALSE, NULL);
	while (!qs_worker_busy(worker))
		g_usleep(200);
	push(worker, &counts, 1, NULL, FALSE, NULL);
	push(worker, &counts, 2, NULL, FALSE, owner);
	push(worker, &counts, 3, NULL, TRUE, NULL);
	push(worker, &counts, 4, NULL, TRUE, NULL);
	g_object_unref(owner); /* nobody wants the answer of 2 */
	g_mutex_unlock(&counts.gate);
	drain(&counts, 5);
	ck_assert_int_eq(counts.runs, 5);
	ck_assert_int_eq(counts.dones, 4);
	for (guint i = 0; i < G_N_ELEMENTS(want); i++)
		ck_assert_uint_eq(counts.order[i], want[i]);
	qs_worker_free(worker);
	g_mutex_clear(&counts.gate);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("worker");
	TCase *worker = tcase_create("worker");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(worker, worker_lanes);
	tcase_add_test(worker, worker_running_is_replaced);
	tcase_add_test(worker, worker_urgent_and_owner);
	tcase_set_timeout(worker, 60);
	suite_add_tcase(suite, worker);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
