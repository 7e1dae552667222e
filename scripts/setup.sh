# setup.sh - sourced by scripts/run and scripts/test: packages, configure, make
# SPDX-License-Identifier: GPL-2.0-or-later

packages_build="autoconf automake libtool pkg-config gcc make libc6-dev libgtk-4-dev libgtksourceview-5-dev liblua5.4-dev
check libpng-dev libzstd-dev libjson-glib-dev libreadline-dev libglib2.0-dev-bin"
packages_run="adwaita-icon-theme fonts-dejavu-core librsvg2-common dconf-gsettings-backend virgl-server libegl1 libgl1-mesa-dri"
packages_test="xvfb xdotool openbox dbus dbus-x11 at-spi2-core python3 python3-gi gir1.2-atspi-2.0 imagemagick
desktop-file-utils appstream shared-mime-info man-db procps"

say()
{
	printf '%s\n' "$*" >&2
}

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		say "Installing packages needs root: run this as root, or install sudo."
		say "The packages:$missing"
		exit 2
	fi
}

# install_packages NAME...: only what is not there yet
install_packages()
{
	missing=
	for package in "$@"; do
		case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
		installed*) ;;
		*) missing="$missing $package" ;;
		esac
	done
	[ -n "$missing" ] || return 0
	say "Installing:$missing"
	as_root apt-get update -qq
	# shellcheck disable=SC2086
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# build_tree DIR CONFIGURE_OPTION...: configures once, then makes what is out of date
build_tree()
{
	build=$1
	shift
	if [ ! -x "$source/configure" ] || [ "$source/configure.ac" -nt "$source/configure" ]; then
		say "Preparing the build system"
		(cd "$source" && autoreconf -fi >autoreconf.log 2>&1) || { cat "$source/autoreconf.log" >&2; exit 2; }
		rm -f "$source/autoreconf.log"
	fi
	mkdir -p "$build"
	if [ ! -f "$build/config.status" ] || [ "$(cat "$build/options" 2>/dev/null)" != "$*" ]; then
		say "Configuring in $build"
		(cd "$build" && "$source/configure" "$@" >configure.log 2>&1) || { tail -20 "$build/configure.log" >&2; exit 2; }
		printf '%s' "$*" >"$build/options"
	fi
	say "Building in $build"
	make -s -C "$build" -j"$(nproc)"
}
