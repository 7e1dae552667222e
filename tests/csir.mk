# Tests of CSIR.
check_PROGRAMS += tests/check_csir_exec
TESTS += tests/check_csir_exec
tests_check_csir_exec_SOURCES = tests/check_csir_exec.c tests/csir_random.h tests/oracle/csir.h tests/oracle/csir.c tests/oracle/random.h
tests_check_csir_exec_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_csir_exec_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_csir
TESTS += tests/check_csir
tests_check_csir_SOURCES = tests/check_csir.c tests/csir_tools.h
tests_check_csir_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_csir_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_csir_forms
TESTS += tests/check_csir_forms
tests_check_csir_forms_SOURCES = tests/check_csir_forms.c tests/csir_tools.h tests/csir_random.h tests/oracle/random.h
tests_check_csir_forms_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_csir_forms_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_csir_link
TESTS += tests/check_csir_link
tests_check_csir_link_SOURCES = tests/check_csir_link.c tests/csir_tools.h
tests_check_csir_link_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_csir_link_LDADD = $(TEST_LIBS) -lm
