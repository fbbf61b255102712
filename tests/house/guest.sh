#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# What a guest in another program does not do: end the process, write to its standard output, change its locale, signals,
# folder or mask, or draw from its random numbers. The shared libraries import no function that does; every public header
# states its thread rule, and guest_test.c has a case for it.
# usage: guest.sh ROOT BUILD

set -eu
root=$1 build=$2
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

banned='exit _exit _Exit quick_exit abort __assert_fail atexit on_exit __cxa_atexit system popen fork vfork execve
stdout stderr stdin printf fprintf vprintf vfprintf puts putchar fputs fputc putc perror dprintf vdprintf psignal error err warn
__printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __dprintf_chk syslog
setlocale signal sigaction __sysv_signal sigprocmask raise alarm setitimer
chdir fchdir umask setenv putenv unsetenv srand rand srandom random drand48 strtok
fesetround fesetenv feenableexcept localtime gmtime getopt'
for library in gertie-runtime gertie-scene gertie; do
    imports=$(nm -D --undefined-only "$build/lib$library.so" | awk '{ sub(/@.*/, "", $2); print $2 }')
    [ -n "$imports" ] || fail "lib$library.so imports nothing; nothing was checked"
    for symbol in $banned; do
        case "
$imports
" in
        *"
$symbol
"*) fail "lib$library.so calls $symbol()" ;;
        esac
    done
    readelf -d "$build/lib$library.so" | grep -q SYMBOLIC || fail "lib$library.so may call functions of another copy"
done

# Formats with fractions follow the host's locale, unless gti_format() makes them.
fractions=$(find "$root/src" -name '*.c' ! -path '*/base/number.c' -exec awk '
    FNR == 1 { call = "" }
    /[^_]snprintf\(/ { call = FILENAME ":" FNR " " }
    call { call = call $0 }
    call && /;/ { if (call ~ /%[-+0-9.*]*[aefgAEFG]/) print call; call = "" }' {} +)
[ -z "$fractions" ] || fail "snprintf() with a fraction; take gti_format(): $fractions"

for header in "$root"/include/gertie/*.h; do
    noun=$(basename "$header" .h)
    grep -q '^/// \*\*Threads\.\*\*' "$header" || fail "gertie/$noun.h states no thread rule"
    cat "$root"/tests/house/guest*_test.c | grep -q "{ \"$noun\", " || fail "guest_test.c has no case for gertie/$noun.h"
done

[ "$failures" -eq 0 ] || exit 1
echo "3 libraries, $(echo "$banned" | wc -w) functions and the public headers checked"
