# Why CPU and VirGL disagree: scenes with known causes, faults that were planted.
check_PROGRAMS += tests/check_diagnosis
TESTS += tests/check_diagnosis tests/check_differences
dist_check_SCRIPTS += tests/check_differences
tests_check_diagnosis_SOURCES = tests/check_diagnosis.c tests/faults.h
tests_check_diagnosis_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_diagnosis_LDADD = $(TEST_LIBS)
