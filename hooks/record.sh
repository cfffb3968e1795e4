# Sourced by the recording hooks: who works in this worktree, and notes on its commits.
# What is stored where is docs/FORMAT.md; why it is done in this shape, docs/HOOKS.md.

LC_ALL=C GIT_NO_LAZY_FETCH=1 GIT_TERMINAL_PROMPT=0
export LC_ALL GIT_NO_LAZY_FETCH GIT_TERMINAL_PROMPT
unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE # one that git can't read would stop git
set -f
newline='
'
IFS=$newline
at=refs/worktree/ledger
agents=refs/ledger/agents
beside=refs/notes/git-ledger
tries=0 locked=0 nobody='' six='' replaces=''

# One rev-parse for everything: it stops at the first name that does not resolve, so the
# number of lines tells what is missing. HEAD stands after the notes: when the notes that
# were read get replaced, no later commit can have been noted in between.
# Fails where no agent works here, or none that the ledger knows.
look() {
  set -- $(git rev-parse --path-format=absolute --git-common-dir --git-dir \
    --git-path rebase-merge --git-path rebase-apply \
    $at/agent $at/note $at/notes "$at/notes^{tree}" HEAD \
    --symbolic-full-name $at/agent $at/notes --)
  common=$1 git_dir=$2 merging=$3 applying=$4
  note=$6 notes=$7 tree=$8 head=$9 log=${10-} notes_ref=${11-}
  worktree=${git_dir#"$common"/}
  [ "$git_dir" != "$common" ] || worktree=main-worktree
  if [ -n "${GIT_LEDGER_AGENT-}" ]; then
    encode "$GIT_LEDGER_AGENT"
    [ "$log" = "$agents/$coded/log" ] || look_up "$agents/$coded/log"
  elif [ $# -lt 11 ]; then
    [ $# -gt 4 ] || return
    look_up "$(git symbolic-ref -q $at/agent)"
    [ -z "$note" ] || point "${log%/log}" # who set the pointers was killed on the way
  fi
  case $note:$log:${notes_ref#refs/notes/} in
  ?*:"$agents"/*/log:ledger/?* | ?*:"$agents"/*/log:git-ledger/?*) return ;;
  esac
  [ -n "${GIT_LEDGER_AGENT-}" ] || complain "this worktree's agent is '$log', which has no note"
  return 1
}

# The same piece by piece: where the environment names the agent, where the notes ref is
# yet to be made, and where there is no agent (''). Notes go beside where another tool has
# a ref `refs/notes/ledger` (as a pattern, which those below it do not match).
look_up() {
  log=$1 note= notes= tree= notes_ref=refs/notes/ledger/$worktree
  for line in $(git for-each-ref --format='%(refname) %(objectname) %(tree)' \
    "$notes_ref" "$beside/$worktree" 'refs/notes/ledge[r]' ${log:+"${log%/log}/note"}); do
    object=${line#* }
    case $line in
    "refs/notes/ledger "*) notes_ref=$beside/$worktree ;;
    "$beside/"*) notes_ref=${line%% *} notes=${object% *} tree=${object#* } ;;
    "$notes_ref "*) notes=${object% *} tree=${object#* } ;;
    "${log%/log}/note "*) note=${object%% *} ;;
    esac
  done
  head=$(git rev-parse --verify -q HEAD)
}

# point REFS: the agent of this worktree. `agent` first: `notes` alone would mean cleared.
# The claim of a spawn has then done its work.
point() {
  git symbolic-ref $at/agent "$1/log" &&
    git symbolic-ref $at/note "$1/note" &&
    git symbolic-ref $at/notes "$notes_ref" &&
    git update-ref --no-deref -d $at/claim
}

# $coded: a name as part of a ref name, as gitledger/model/names.py has it.
encode() {
  coded=$1
  case $1 in *[!a-z0-9_-]*) encode_bytes "$1" ;; esac
  [ ${#coded} -gt 100 ] || return 0
  set -- "$(printf %s "$1" | { sha256sum || shasum -a 256; })"
  while [ ${#coded} -gt 48 ]; do coded=${coded%?}; done
  coded=$coded%h${1%"${1#????????????????????????????????}"}
}

encode_bytes() {
  rest=$1 coded=
  IFS=" $newline"
  for byte in $(printf %s "$1" | od -An -v -tx1); do
    char=${rest%"${rest#?}"} rest=${rest#?}
    case $char in [a-z0-9_-]) coded=$coded$char ;; *) coded=$coded%$byte ;; esac
  done
  IFS=$newline
}

# $place: where a notes tree has the note on a commit.
place() { place=${1%"${1#??}"}/${1#??}; }

fast_import() {
  git -c fastimport.unpackLimit=100000 -c core.fsync=-pack -c pack.compression=0 \
    fast-import --quiet --date-format=raw 2>&1 <<IMPORT
$1
IMPORT
}

# import COMMANDS: run fast-import; $ids are the ids of its marks, a line each.
import() {
  ids=
  said=$(fast_import "$1") || { forget_crash_report; return 1; }
  for line in $said; do
    case $line in
    *[!0-9a-f]*) ;;
    ????????????????????????????????????????*) ids=${ids:+$ids$newline}$line ;;
    esac
  done
  [ -n "$ids" ]
}

# commit_of TREE COMMANDS: what makes fast-import build a parentless commit, TREE with
# COMMANDS on top, without moving a ref: the branch name is dropped again.
commit_of() {
  commit="commit refs/ledger/scratch/hook
mark :9
committer git-ledger <git-ledger> 0 +0000
data 0
${1:+M 040000 $1 $newline}$2
get-mark :9
reset refs/ledger/scratch/hook
"
}

forget_crash_report() {
  case $said in
  *fast_import_crash_*)
    number=${said##*fast_import_crash_}
    rm -f "$git_dir/fast_import_crash_${number%%[!0-9]*}"
    ;;
  esac
}

update_refs() { git -c core.logAllRefUpdates=false update-ref --no-deref --stdin; }

# move COMMANDS: update-ref's, all or none. 1: something moved, read again and retry;
# 2: it can't be done. A lock that stays (git waits 100 ms for it) is someone's to remove.
move() {
  said=$(update_refs 2>&1 <<MOVE
$1
MOVE
  ) && return 0
  tries=$((tries + 1))
  [ $tries -lt 60 ] || return 2
  case $said in
  *'Permission denied'* | *'Read-only file system'*) return 2 ;;
  *'File exists'*) locked=$((locked + 1)) && [ $locked -lt 3 ] || return 2 ;;
  *'but expected'* | *'already exists'* | *'unable to resolve reference'*) ;;
  *'nonexistent object'*) ;; # gc took it before a ref could name it
  *) return 2 ;;
  esac
  sleep "0.0$((($$ + tries * 37) % 40 + 10))" # without fractions it fails, and is no pause
  return 1
}

# replace_notes COMMIT MORE: make COMMIT the worktree's notes and do update-ref's MORE, in
# one step. Status as of `move`.
replace_notes() {
  if [ -n "$notes" ]; then
    move "update $notes_ref $1 $notes${2:+$newline$2}"
  else
    move "create $notes_ref $1${2:+$newline$2}"
  fi
}

# Note the commit at HEAD, as made here, and move its agent's head. A commit that has its
# note keeps it: what post-rewrite or reconcile wrote says more.
record_commit() {
  mine=$head said="'$notes_ref' is no commit"
  place "$mine"
  note_it="ls \"$place\"${newline}M 100644 ${note:-inline} $place$nobody"
  ! record_at_once || return 0
  while [ -n "$tree" ] || [ -z "$notes" ] && commit_of "$tree" "$note_it" && import "$commit"; do
    case $said in "100644 blob"*) return ;; esac
    replace_notes "$ids" "${note:+update ${log%/log}/head $head}"
    case $? in
    0) return ;;
    2) break ;;
    esac
    look
  done
  complain "cannot note $mine: $said"
}

# The usual case, a millisecond faster: update-ref starts while fast-import still works, and
# acts when that has ended. What fails here is tried again step by step.
record_at_once() {
  [ -n "$note" ] && [ -n "$tree" ] || return
  commit_of "$tree" "$note_it"
  fast_import "$commit" | orders | update_refs
}

orders() {
  order=none
  while read -r line; do
    case $line in
    "100644 blob"*) order= ;;
    *fast_import_crash_*) said=$line && forget_crash_report ;;
    *[!0-9a-f]*) ;;
    ????????????????????????????????????????*)
      order=${order:+update $notes_ref $line $notes${newline}update ${log%/log}/head $head}
      ;;
    esac
  done
  [ -z "$order" ] || echo "$order"
}

# Whether HEAD's commit is a step of a rebase's own. post-rewrite notes those, all at once
# and with what they replace. Where the rebase stopped, a commit is one made by hand.
is_pick() { [ -d "$applying" ] || { [ -d "$merging" ] && [ ! -f "$merging/stopped-sha" ]; }; }

# What is made under an id that the ledger does not know is nobody's, for good.
is_nobodys() {
  case ${GIT_LEDGER_AGENT-} in '' | *[[:cntrl:]]*) return 1 ;; esac
  [ -n "$common" ] && [ -n "$head" ] || return 1
  nobody="${newline}data <<END${newline}unknown: $GIT_LEDGER_AGENT${newline}END"
  complain "GIT_LEDGER_AGENT names an unknown agent: $head is recorded for nobody"
}

# A line in a log of bounded size; the only thing that a hook says.
complain() {
  [ -n "$common" ] || return 0
  [ -d "$common/ledger" ] || mkdir "$common/ledger" || return 0
  errors=$common/ledger/hook-errors
  [ ! -s "$errors" ] || [ "$(wc -c <"$errors")" -lt 65536 ] || mv -f "$errors" "$errors.old"
  printf '%s %s %s: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "${0##*/}" "$worktree" "$*" >>"$errors"
}
