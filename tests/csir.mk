# Tests of CSIR.
check_PROGRAMS += tests/check_csir_exec
TESTS += tests/check_csir_exec
tests_check_csir_exec_SOURCES = tests/check_csir_exec.c tests/csir_random.h tests/oracle/csir.h tests/oracle/csir.c tests/oracle/random.h
tests_check_csir_exec_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_csir_exec_LDADD = $(TEST_LIBS) -lm
