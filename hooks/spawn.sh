# Sourced by the recording hooks, after record.sh: a new agent for this worktree.

# spawn SOURCE COMMIT [MORE]: SOURCE tells how the spawn commit is known (COMMIT may be
# empty: there is none yet); MORE is further JSON, each key after a comma.
spawn() {
  branch=$(git symbolic-ref -q HEAD) && branch=${branch#refs/heads/}
  title=${branch:-${worktree##*/}}
  slug "$title"
  while draw && make_spawn "$@"; do
    encode "$id"
    new=$agents/$coded
    move "$(spawn_commands "$2")"
    case $? in
    0) point "$new" && return ;;
    2) break ;;
    esac
    ! git symbolic-ref -q $at/agent || return 0 # another process was first
    [ $tries -lt 10 ] || six= # this id has been another's
  done
  complain "cannot record the spawn of '$title': $said"
  return 1
}

# The time, a nonce, and the id: branch and six hex digits, random where none are given.
draw() {
  now=$(date -u +%Y-%m-%dT%H:%M:%S.%6NZ)
  case $now in
  *.[0-9][0-9][0-9][0-9][0-9][0-9]Z) ;;
  *) now=$(date -u +%Y-%m-%dT%H:%M:%S.000000Z) ;; # this date knows no fractions
  esac
  IFS=" $newline"
  set -- $(od -An -v -tx1 -N11 /dev/urandom)
  IFS=$newline
  nonce=$1$2$3$4$5$6$7$8 id=$slug-${six:-$9${10}${11}}
}

# $slug: lower case, words joined by hyphens, never empty.
slug() {
  slug=$1
  case $1 in *[A-Z]*) slug=$(printf %s "$1" | tr A-Z a-z) ;; esac
  while :; do
    case $slug in
    *[!a-z0-9-]*) slug=${slug%%[!a-z0-9-]*}-${slug#*[!a-z0-9-]} ;;
    *--*) slug=${slug%%--*}-${slug#*--} ;;
    -* | *-) slug=${slug#-} slug=${slug%-} ;;
    *) break ;;
    esac
  done
  while [ ${#slug} -gt 60 ]; do slug=${slug%?}; done
  slug=${slug%-} slug=${slug:-agent}
}

# The objects of a spawn: ids of log, note and an empty notes commit in $log_blob,
# $note_blob and $empty.
make_spawn() {
  commit_of '' ''
  import "blob
mark :1
data <<END
$(spawned "$@")
END
blob
mark :2
data <<END
agent: $id
iteration: 0
END
get-mark :1
get-mark :2
$commit" || return 1
  set -- $ids
  log_blob=$1 note_blob=$2 empty=$3
}

# One transaction, which holds only while this worktree has no agent (in $replaces it may
# have one). The claim lets a process that finds the spawn half-made, its maker killed,
# finish it.
spawn_commands() {
  [ -n "$replaces" ] || echo "verify $at/agent"
  echo "create $at/claim $note_blob
create $new/log $log_blob
create $new/note $note_blob${1:+
create $new/spawn $1
create $new/head $1}"
  [ -n "$notes" ] || echo "create $notes_ref $empty"
}

# The event as one line of ASCII JSON.
spawned() {
  printf '{"v":1,"kind":"spawned","at":"%s","prev":[],"nonce":"%s"' "$now" "$nonce"
  pair id "$id"
  pair title "$title"
  [ -z "$2" ] || pair spawn_commit "$2"
  pair source "$1"
  pair worktree "$(pwd -P)"
  pair worktree_id "$worktree"
  [ -z "$branch" ] || pair branch "$branch"
  printf '%s}' "${3-}"
}

pair() {
  value=$2
  case $2 in
  *[!A-Za-z0-9\ ._/@+=:,-]*) value=$(printf %s "$2" | od -An -v -tu1 | as_json) ;;
  esac
  printf ',"%s":"%s"' "$1" "$value"
}

# Bytes as decimal numbers to what stands between JSON's quotes, in ASCII. What is not
# UTF-8 becomes \udcXX a byte, as Python's surrogateescape has it.
as_json() {
  awk '
    function character(i,    first, code, least, more, k) {
      first = byte[i]
      used = 1
      if (first < 128) return first
      if (first >= 194 && first < 224) { more = 1; code = first - 192; least = 128 }
      else if (first >= 224 && first < 240) { more = 2; code = first - 224; least = 2048 }
      else if (first >= 240 && first < 245) { more = 3; code = first - 240; least = 65536 }
      else return 56320 + first
      for (k = 1; k <= more; k++) {
        if (i + k >= n || byte[i + k] < 128 || byte[i + k] > 191) return 56320 + first
        code = code * 64 + byte[i + k] - 128
      }
      if (code < least || code > 1114111 || (code >= 55296 && code < 57344)) return 56320 + first
      used = more + 1
      return code
    }
    { for (i = 1; i <= NF; i++) byte[n++] = $i }
    END {
      for (i = 0; i < n; i += used) {
        code = character(i)
        if (code > 65535) {
          code -= 65536
          printf "\\u%04x\\u%04x", 55296 + int(code / 1024), 56320 + code % 1024
        } else if (code < 32 || code == 34 || code == 92 || code > 126) printf "\\u%04x", code
        else printf "%c", code
      }
    }'
}

# A worktree (or branch) that was just made: its agent, child of the one that the
# environment names.
spawn_new() {
  more=
  if [ -n "$parent" ]; then
    encode "$parent"
    if git rev-parse --verify -q "$agents/$coded/log"; then
      more=$(pair parent "$parent")
    else
      complain "GIT_LEDGER_AGENT names an unknown agent: it is not recorded as the parent"
    fi
  fi
  spawn checkout "$head" "$more"
}

# Not in the main worktree, nor where an agent was taken away on purpose (`notes` is
# there), nor in the middle of a rebase, nor where the target's branch is checked out: that
# is where work is merged (the worktrees of a bare repository have one for it).
can_spawn() {
  [ "$worktree" != main-worktree ] && [ ! -d "$merging" ] && [ ! -d "$applying" ] &&
    ! git symbolic-ref -q $at/agent && ! git symbolic-ref -q $at/notes &&
    ! has_target && look_up ''
}

has_target() {
  target=$(git symbolic-ref -q main-worktree/HEAD) && [ "$(git symbolic-ref -q HEAD)" = "$target" ]
}

# A worktree without an agent whose making no hook saw, or not to its end.
spawn_late() {
  can_spawn || return
  finish_claimed || {
    find_spawn_commit
    spawn "$source" "$start" ",\"late\":true$since"
  }
}

# Finish the spawn that `claim` names: its maker was killed, or is just at it. A claim
# whose log was never written is void.
finish_claimed() {
  claim=$(git rev-parse --verify -q $at/claim) && claimed=$(git cat-file blob "$claim") || return
  claimed=${claimed#agent: }
  encode "${claimed%%"$newline"*}"
  new=$agents/$coded
  if born=$(git cat-file blob "$new/log"); then
    fill note "$claim"
    case $born in *'"spawn_commit":"'*)
      born=${born#*'"spawn_commit":"'}
      fill spawn "${born%%'"'*}"
      fill head "${born%%'"'*}"
      ;;
    esac
    point "$new"
  else
    git update-ref --no-deref -d $at/claim "$claim" && return 1
  fi
}

fill() { git rev-parse --verify -q "$new/$1" || move "create $new/$1 $2"; }

# $start and $source as gitledger/services/provisional.py finds them: the first entry of
# HEAD's reflog where that is the worktree's making, else where the branch left the main
# worktree's, else HEAD. $six and $since, from that entry, make the spawn the same one
# that the reading commands already show.
find_spawn_commit() {
  entry=$(git -c log.showSignature=false log -g --date=raw --format='%H %gD %gs' HEAD -- | tail -n 1)
  start=${entry%% *} time=${entry#*@\{} since=
  time=${time%% *} source=reflog
  seed=$worktree${entry:+ $start $time}
  six=$(printf %s "$seed" | { sha256sum || shasum -a 256; } | cut -c 1-6)
  [ -z "$entry" ] || since=$(date -u -d "@$time" +%Y-%m-%dT%H:%M:%S || date -u -r "$time" +%Y-%m-%dT%H:%M:%S)
  since=${since:+,\"since\":\"$since.000000Z\"}
  case $entry in
  '') ;;
  *'} commit'* | *'} cherry-pick'* | *'} revert'* | *'} am:'* | *': Merge made by '*) ;;
  *) return ;;
  esac
  source=merge-base
  target=$(git symbolic-ref -q main-worktree/HEAD) && start=$(git merge-base "$target" HEAD) && return
  source=head start=$head
}
