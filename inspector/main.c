/* main.c - the inspector
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-application.h"

int main(int argc, char **argv)
{
	g_autoptr(QsApplication) application = qs_application_new();

	return g_application_run(G_APPLICATION(application), argc, argv);
}
