# Sourced by post-checkout where ledger.autoSpawn is `branches`: in the main worktree each
# branch has an agent of its own, and the pointer follows the branch.

follow_branch() {
  [ "$worktree" = main-worktree ] && [ ! -d "$merging" ] && [ ! -d "$applying" ] || return
  look_up ''
  branch=$(git symbolic-ref -q HEAD) || branch=
  if is_new; then
    replaces=yes
    spawn_new
  elif log=$(log_of_branch) && [ -n "$log" ]; then
    point "${log%/log}"
  else
    git symbolic-ref -d $at/agent
    git symbolic-ref -d $at/note
  fi
}

# A branch whose reflog has its making alone, and on which HEAD is for the first time since.
is_new() {
  [ -n "$branch" ] || return
  set -- $(git -c log.showSignature=false log -g --date=raw -2 --format='%gd %gs' "$branch" --)
  case $#$1 in 1*'} branch: Created from '*) ;; *) return 1 ;; esac
  since=${1#*@\{}
  visits=$(git -c log.showSignature=false log -g --date=raw --format='%gd %gs' -50 HEAD -- |
    NAME=" to ${branch#refs/heads/}" SINCE=${since%% *} awk '
      { at = $1; sub(/.*@\{/, "", at); end = length($0) - length(ENVIRON["NAME"]) }
      at + 0 >= ENVIRON["SINCE"] + 0 && substr($0, end + 1) == ENVIRON["NAME"] { n++ }
      END { print n + 0 }')
  [ "$visits" = 1 ]
}

# The log of the agent that was last spawned on this branch here, and has not ended.
log_of_branch() {
  [ -n "$branch" ] || return
  git for-each-ref --format='%(refname) %(raw)' "$agents/*/log" |
    BRANCH=$(pair branch "${branch#refs/heads/}") awk '
      /^refs\/ledger\/agents\// { log_ref = $1 }
      index($0, "\"kind\":\"spawned\"") && index($0, "\"worktree_id\":\"main-worktree\"") &&
        index($0, ENVIRON["BRANCH"]) {
        at = $0
        sub(/.*"at":"/, "", at)
        at = substr(at, 1, 27)
        if (at > latest) { latest = at; found = log_ref }
      }
      /"kind":"(completed|failed)"/ && log_ref == found { found = ""; }
      END { print found }'
}
