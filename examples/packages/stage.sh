#!/bin/sh
# stage.sh [FOLDER] - gathers in build/install what `make install` puts under PREFIX: the command, its man
# pages and completions for bash, zsh and fish, made from what `sooth help` prints; the headers; what CMake
# and pkg-config ask for. PREFIX stands in sooth.pc.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
set -e
LC_ALL=C; export LC_ALL
from=examples/packages to=${1:-build/install} date=2026-11-23
version=$(sed -n 's/^#define SOOTH_VERSION_TEXT "\(.*\)"/\1/p' include/sooth/base.h)
rm -rf $to
share=$to/share
bash=$share/bash-completion/completions zsh=$share/zsh/site-functions fish=$share/fish/vendor_completions.d
mkdir -p $to/bin $to/include $share/pkgconfig $share/cmake/sooth $share/man/man1 $bash $zsh $fish
cp build/sooth $to/bin
cp -R include/sooth.h include/sooth examples/python/sooth_call.h $to/include
for file in cmake/sooth/soothConfig.cmake cmake/sooth/soothConfigVersion.cmake pkgconfig/sooth.pc; do
    sed "s,@PREFIX@,${PREFIX:-/usr/local},; s/@VERSION@/$version/" $from/"${file%%/*}/${file##*/}" > \
        $share/$file
done

# ---- the command's texts: rows "NAME TAB SUMMARY", and a table of options for each ----

texts=$to/texts
mkdir -p $texts
build/sooth help > $texts/all
sed -n 's/^  sooth \([a-z]*\)  *\(.*\)$/\1	\2/p' $texts/all > $texts/commands
commands=$(cut -f 1 $texts/commands | tr '\n' ' ')
commands=${commands% }
models=$(awk '/^Models/ { on = 1; next } /^More/ { on = 0 } on && NF { printf "%s%s", gap, $1; gap = " " }' \
    $texts/all)
page() { # PAGE SUMMARY TEXT
    awk -v page="$1" -v says="$2" -v date=$date -v version="$version" -v commands="$commands" \
        -f $from/command/man.awk "$3" > "$share/man/man1/$1.1"
}
page sooth "what running something will cost, before it runs" $texts/all
while IFS='	' read -r name says; do
    build/sooth help "$name" > "$texts/$name.text"
    awk -f $from/command/table.awk "$texts/$name.text" > "$texts/$name.options"
    page "sooth-$name" "$says" "$texts/$name.text"
done < $texts/commands

# each COMMAND-LINE...: once for every command, with $name, $says and the file $options
each() {
    while IFS='	' read -r name says; do options=$texts/$name.options; "$@"; done < $texts/commands
}
notice() { # FIRST LINE...
    printf '%s\n' "$@" '# Completions of the sooth command, made from its help.' \
        '# SPDX-FileCopyrightText: 2026 the sooth authors' '# SPDX-License-Identifier: MIT'
}
# short: the first clause of the meaning, on standard input, without what the shells would read
short() { sed "s/[;(.] .*//; s/: /, /g; s/[][':\`\\\\]//g; s/[,;:. ]*$//"; }

# next_option: the fields of the option in $row; in $offered the words that its value may be, or @columns for
# those of the table on the line, or nothing. tests/build/distribution.sh looks for each word in the help.
next_option() {
    letter=${row%%	*} rest=${row#*	}
    long=${rest%%	*} rest=${rest#*	}
    value=${rest%%	*} meaning=$(printf '%s\n' "${rest#*	}" | short)
    case $long,$value in
    *,COLUMN* | target,A* | group,A* | features,A* | categorical,A* | drop,A* | tasks,A*) offered=@columns ;;
    model,NAME,*) offered= ;;
    model,*) offered=$models ;;
    color,*) offered="auto always never" ;;
    encode,*) offered="native target target-in-time ordinal" ;;
    transform,LIST) offered="log standard minmax robust none clip log-target" ;;
    by,MEASURE) offered="rmse mae mre" ;;
    metric,*) offered="rmse mae mape r2" ;;
    tune,*) offered="random grid" ;;
    calibrate,*) offered="sigmoid isotonic" ;;
    for,*) offered="cortex-m0 cortex-m4 avr rv32 bpf" ;;
    to,FORM) offered="c c-if bpf rust go bpf-map xgboost libsvm onnx" ;;
    *,8*) offered=$(printf '%s' "$value" | tr '|' ' ') ;;
    sum,*) offered="exact plain" ;;
    keys,*) offered="whole float" ;;
    loss,*) offered="mse rmse mae mape" ;;
    policy,*) offered="fair qos least-worst most-progress even" ;;
    correct,*) offered="requested steps" ;;
    scramble,*) offered="plain reverse good random shift matrix owen" ;;
    numbers,*) offered="joe_kuo bratley_fox" ;;
    order,*) offered="gray natural" ;;
    *) offered= ;;
    esac
}
# The names of the columns of "$file", from its header alone: without units; none that holds a separator.
header='
    function put() {
        gsub(/^ +| *(\[[^]]*\])? *$/, "", cell)
        if (cell != "" && cell !~ /[,;\t|]/) print cell
        cell = ""
    }
    { sub(/^\357\273\277/, ""); sub(/\r$/, "") }
    /^#/ { next }
    {
        for (k = 1; k <= length($0); ++k) {
            c = substr($0, k, 1)
            if (c == "\"") quoted = !quoted
            else if (!quoted && c ~ /[,;\t|]/) put()
            else cell = cell c
        }
        put()
        exit
    }'

in_bash() {
    words=$(awk -F '\t' '{ printf "%s--%s", gap, $2; gap = " " }' "$options")
    [ "$words" ] || return 0
    printf '    %s)\n        words="%s"\n        case $before in\n' "$name" "$words"
    while IFS= read -r row; do
        next_option
        [ -z "$offered" ] ||
            printf '        %s--%s) values="%s" ;;\n' "${letter:+-$letter | }" "$long" "$offered"
    done < "$options"
    printf '        esac\n        ;;\n'
}
{
    notice
    printf '%s\n' '_sooth_columns() {' '    local file name IFS=$'"'\\n'" \
        '    for file in "${COMP_WORDS[@]:2}"; do' \
        '        file=${file/#\~/$HOME}' '        [[ $file == *.[ct]sv && -f $file ]] || continue' \
        "        for name in \$(env LC_ALL=C awk '$header' \"\$file\"); do" \
        '            [[ $name != "${current##*,}"* ]] || COMPREPLY+=("$head$(printf %q "$name")")' \
        '        done' '        return' '    done' '}' '_sooth() {' \
        '    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words= values=' \
        '    local head=${current%"${current##*,}"}' \
        "    local commands=\"$commands\"" "    local models=\"$models\"" \
        '    COMPREPLY=()' '    case ${COMP_WORDS[1]} in'
    each in_bash
    printf '%s\n' '    esac' '    case $COMP_CWORD,$values,$current in' '    1,*) words=$commands ;;' \
        '    *,@columns,*) _sooth_columns; return ;;' \
        '    *,?*,*) COMPREPLY=($(compgen -P "$head" -W "$values" -- "${current##*,}")); return ;;' \
        '    *,,-*) ;;' '    2,,*) [ "$before" != help ] || words="$commands $models"' \
        '        [ "$before" = help ] || words= ;;' '    *) words= ;;' '    esac' \
        '    COMPREPLY=($(compgen -W "$words" -- "$current"))' '}' \
        'complete -o default -F _sooth sooth'
} > $bash/sooth

in_zsh() {
    printf "    %s) _arguments -s" "$name"
    while IFS= read -r row; do
        next_option
        case $offered,$value in
        @columns,*) action=":column:_sooth_columns" ;;
        ?*,*) action=":value:_sequence -n 99 compadd - $offered" ;;
        ,?*) action=":value:_files" ;;
        *) action= ;;
        esac
        if [ "$letter" ]; then
            printf " \\\\\n        '*'{-%s,--%s}'[%s]%s'" "$letter" "$long" "$meaning" "$action"
        else printf " \\\\\n        '*--%s[%s]%s'" "$long" "$meaning" "$action"; fi
    done < "$options"
    if [ "$name" = help ]; then printf " '*:command or model:(%s %s)' ;;\n" "$commands" "$models"
    else printf " \\\\\n        '*:file:_files' ;;\n"; fi
}
named_zsh() { printf "        '%s:%s'\n" "$name" "$(printf '%s\n' "$says" | short)"; }
{
    notice '#compdef sooth'
    printf '%s\n' '_sooth_columns() {' '    local file' '    local -a names' \
        '    for file in ${(Q)words}; do' '        file=${file/#\~/$HOME}' \
        '        [[ $file == *.[ct]sv && -f $file ]] || continue' \
        "        names=(\"\${(@f)\$(env LC_ALL=C awk '$header' \"\$file\")}\")" \
        '        compset -P "*,"' '        compadd -a names' '        return' '    done' '}'
    printf '%s\n' '_sooth() {' '    local -a commands' '    commands=('
    each named_zsh
    printf '%s\n' '    )' '    if (( CURRENT == 2 )); then' '        _describe command commands' \
        '        return' '    fi' '    shift words' '    (( CURRENT-- ))' '    case $words[1] in'
    each in_zsh
    printf '%s\n' '    esac' '}' '_sooth "$@"'
} > $zsh/_sooth

in_fish() {
    printf "complete -c sooth -n __fish_use_subcommand -f -a %s -d '%s'\n" "$name" \
        "$(printf '%s\n' "$says" | short)"
    while IFS= read -r row; do
        next_option
        more=
        [ -z "$letter" ] || more=" -s $letter"
        [ -z "$value" ] || more="$more -r"
        case $offered in
        @columns) more="$more -f -a '(__sooth_columns)'" ;;
        ?*) more="$more -f -a '(__sooth_items $offered)'" ;;
        esac
        printf "complete -c sooth -n '__fish_seen_subcommand_from %s'%s -l %s -d '%s'\n" "$name" "$more" \
            "$long" "$meaning"
    done < "$options"
}
{
    notice
    printf '%s\n' '# the items, each after those of the list that are there' 'function __sooth_items' \
        '    set -l head (string match -r ".*," -- (commandline -ct))' \
        '    for item in $argv; echo "$head$item"; end' 'end' 'function __sooth_columns' \
        '    for file in (commandline -opc)' '        set file (string replace -r "^~" $HOME -- $file)' \
        '        string match -qr "[.][ct]sv\$" -- $file; and test -f $file; or continue' \
        "        __sooth_items (env LC_ALL=C awk '$header' \$file)" '        return' '    end' 'end'
    each in_fish
    printf "complete -c sooth -n '__fish_seen_subcommand_from help' -f -a '%s %s'\n" "$commands" "$models"
} > $fish/sooth.fish
rm -r $texts
