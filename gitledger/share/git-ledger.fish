# fish completion of `git ledger`, for conf.d: fish 3.6.0 looks for that of the commands
# that git finds on PATH under a wrong name, so this file tells git's own completion.
# Written by `python -m docs.pages` from the commands; changes here are lost.

function __fish_git_ledger_agents
    for ref in (git for-each-ref --format='%(refname:lstrip=3)' 'refs/ledger/agents/*/log' 2>/dev/null)
        # After %h comes a hash: the id can't be told from it.
        string match -q '*%h*' -- $ref
        or string replace -r '/log$' '' -- $ref | string unescape --style=url
    end
end

function __fish_git_ledger_refs
    git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null
end

# Whether the words before the cursor are that command, options aside.
function __fish_git_ledger_at
    set -l path
    for word in (commandline -opc)[2..]
        set -l longer (string join ' ' -- $path $word)
        contains -- $longer $__fish_git_ledger_known
        and set path $longer
    end
    test "$path" = "$argv[1]"
end

function __fish_git_ledger_through_git
    set -l words (commandline -opc)
    set -l place (contains -i -- ledger $words)
    or return
    set -l after (string escape -- $words[(math $place + 1)..])
    complete -C "git-ledger $after "(commandline -ct)
end

complete -c git -f -n '__fish_git_using_command ledger' -a '(__fish_git_ledger_through_git)'
set -g __fish_git_ledger_known 'init' 'deinit' 'doctor' 'help' 'spawn' 'adopt' 'current' 'list' 'show' 'log' 'complete' 'fail' 'close' 'who' 'reconcile' 'conflicts' 'check'
complete -c git-ledger -f
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a init -d 'Install the hooks that record, beside whatever hooks are there'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a deinit -d 'Take the hooks out; every other hook and setting stays'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a doctor -d 'Say which worktrees record, what does not, and what mends it'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a help -d 'Show help for git ledger or one of its commands'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a spawn -d 'Make a branch and a worktree for a new agent, and print the path'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a adopt -d 'Record worktrees that stand without an agent'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a current -d 'Print the id of the agent that works in this worktree'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a list -d 'List the agents, the most recent first'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a show -d 'Show one agent: what is on record, and its work by git'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a log -d 'Tell an agent\'s life in order: events, and commits among them'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a complete -d 'Record that an agent has finished'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a fail -d 'Record that an agent has failed, and why'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a close -d 'End an agent after review: its work is accepted or rejected'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a who -d 'Name the agent that made a commit'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a reconcile -d 'Record what no hook saw: worktrees, commits, rewrites'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a conflicts -d 'Foresee which agents collide with the target and with each other'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -a check -d 'Say whether a merge would go through, before it is made'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -s C -r -F -d 'Run as if started in PATH.'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -l version -d 'Show the version and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -l color -x -a 'auto always never' -d 'When to use colour; the default asks color.ledger, color.ui and NO_COLOR.'
complete -c git-ledger -n '__fish_git_ledger_at \'\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'init\'' -l gates -l no-gates -d 'Install the gates too (pre-merge-commit, pre-push, pre-commit), or take them out.'
complete -c git-ledger -n '__fish_git_ledger_at \'init\'' -s n -l dry-run -d 'Print what would change; change nothing.'
complete -c git-ledger -n '__fish_git_ledger_at \'init\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'init\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'deinit\'' -s n -l dry-run -d 'Print what would change; change nothing.'
complete -c git-ledger -n '__fish_git_ledger_at \'deinit\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'deinit\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'doctor\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'doctor\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'help\'' -l man -d 'Open the man page, also where man does not find it.'
complete -c git-ledger -n '__fish_git_ledger_at \'help\'' -l completion -x -a 'bash zsh fish' -d 'Print the completion of that shell, which works through git\'s own.'
complete -c git-ledger -n '__fish_git_ledger_at \'help\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'help\'' -a 'init deinit doctor help spawn adopt current list show log complete fail close who reconcile conflicts check'
complete -c git-ledger -n '__fish_git_ledger_at \'spawn\'' -l id -x -a '(__fish_git_ledger_agents)' -d 'The agent\'s id (default: from the title).'
complete -c git-ledger -n '__fish_git_ledger_at \'spawn\'' -s b -l branch -x -d 'Its branch (default: agent/<id>).'
complete -c git-ledger -n '__fish_git_ledger_at \'spawn\'' -l path -r -F -d 'Where the worktree goes (default: beside the main one).'
complete -c git-ledger -n '__fish_git_ledger_at \'spawn\'' -l from -x -a '(__fish_git_ledger_refs)' -d 'Where it starts (default: HEAD).'
complete -c git-ledger -n '__fish_git_ledger_at \'spawn\'' -l here -d 'Record the current worktree instead of making one.'
complete -c git-ledger -n '__fish_git_ledger_at \'spawn\'' -l role -x -d 'The kind of agent.'
complete -c git-ledger -n '__fish_git_ledger_at \'spawn\'' -l target -x -a '(__fish_git_ledger_refs)' -d 'The branch that its work is to be merged into.'
complete -c git-ledger -n '__fish_git_ledger_at \'spawn\'' -l parent -x -a '(__fish_git_ledger_agents)' -d 'The agent that spawned it (default: the one here).'
complete -c git-ledger -n '__fish_git_ledger_at \'spawn\'' -l file -r -F -d 'A path it is expected to touch.'
complete -c git-ledger -n '__fish_git_ledger_at \'spawn\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'adopt\'' -l all -d 'Every linked worktree without an agent.'
complete -c git-ledger -n '__fish_git_ledger_at \'adopt\'' -l id -x -a '(__fish_git_ledger_agents)' -d 'The agent\'s id; for one worktree.'
complete -c git-ledger -n '__fish_git_ledger_at \'adopt\'' -l title -x -d 'What the agent does; for one worktree.'
complete -c git-ledger -n '__fish_git_ledger_at \'adopt\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'adopt\'' -F
complete -c git-ledger -n '__fish_git_ledger_at \'current\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'current\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l status -x -a 'queued spawned resumed awaiting-review interrupted completed failed' -d 'Only these.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l state -x -a 'queued running awaiting-review interrupted closed' -d 'Only these.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l group -x -d 'Only of that group.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l in-group -d 'Only those that have a group.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l role -x -d 'Only of that role.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l phase -x -d 'Only of that phase.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l plan -x -d 'Only of that plan.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l parent -x -d 'Only those it spawned.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l churn -d 'Only those sent back again and again.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l since -x -d 'Only from then on: 2h, 3d, 2026-01-15.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l archived -d 'Those in the archive instead.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l tree -d 'Show who spawned whom.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -l porcelain -d 'Print tab-separated lines, for scripts.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -s z -d 'End lines with NUL; implies --porcelain.'
complete -c git-ledger -n '__fish_git_ledger_at \'list\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'show\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'show\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'show\'' -a '(__fish_git_ledger_agents)'
complete -c git-ledger -n '__fish_git_ledger_at \'log\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'log\'' -l porcelain -d 'Print tab-separated lines, for scripts.'
complete -c git-ledger -n '__fish_git_ledger_at \'log\'' -s z -d 'End lines with NUL; implies --porcelain.'
complete -c git-ledger -n '__fish_git_ledger_at \'log\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'log\'' -a '(__fish_git_ledger_agents)'
complete -c git-ledger -n '__fish_git_ledger_at \'complete\'' -s m -l summary -x -d 'What was done.'
complete -c git-ledger -n '__fish_git_ledger_at \'complete\'' -l result -x -d 'The result in the agent\'s own words.'
complete -c git-ledger -n '__fish_git_ledger_at \'complete\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'complete\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'complete\'' -a '(__fish_git_ledger_agents)'
complete -c git-ledger -n '__fish_git_ledger_at \'fail\'' -s m -l error -x -d 'What went wrong.'
complete -c git-ledger -n '__fish_git_ledger_at \'fail\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'fail\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'fail\'' -a '(__fish_git_ledger_agents)'
complete -c git-ledger -n '__fish_git_ledger_at \'close\'' -l accepted -l rejected -d 'The verdict on its work.'
complete -c git-ledger -n '__fish_git_ledger_at \'close\'' -s m -l message -x -d 'Why; a summary, or the error.'
complete -c git-ledger -n '__fish_git_ledger_at \'close\'' -l remove -d 'Remove its worktree and branch too.'
complete -c git-ledger -n '__fish_git_ledger_at \'close\'' -s y -l yes -d 'Do it without asking.'
complete -c git-ledger -n '__fish_git_ledger_at \'close\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'close\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'close\'' -a '(__fish_git_ledger_agents)'
complete -c git-ledger -n '__fish_git_ledger_at \'who\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'who\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'who\'' -a '(__fish_git_ledger_refs)'
complete -c git-ledger -n '__fish_git_ledger_at \'reconcile\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'reconcile\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'conflicts\'' -l onto -x -a '(__fish_git_ledger_refs)' -d 'The target to judge against.'
complete -c git-ledger -n '__fish_git_ledger_at \'conflicts\'' -l no-drivers -d 'Run no merge driver of the configuration.'
complete -c git-ledger -n '__fish_git_ledger_at \'conflicts\'' -l no-fetch -d 'Fetch no missing object.'
complete -c git-ledger -n '__fish_git_ledger_at \'conflicts\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'conflicts\'' -l committed -d 'Leave uncommitted work out.'
complete -c git-ledger -n '__fish_git_ledger_at \'conflicts\'' -l all-pairs -d 'Tell the clean pairs too.'
complete -c git-ledger -n '__fish_git_ledger_at \'conflicts\'' -l exit-code -d 'Exit with 1 for a conflict, 3 for an unknown.'
complete -c git-ledger -n '__fish_git_ledger_at \'conflicts\'' -s h -l help -d 'Show this message and exit.'
complete -c git-ledger -n '__fish_git_ledger_at \'conflicts\'' -a '(__fish_git_ledger_agents)'
complete -c git-ledger -n '__fish_git_ledger_at \'check\'' -l onto -x -a '(__fish_git_ledger_refs)' -d 'The target to judge against.'
complete -c git-ledger -n '__fish_git_ledger_at \'check\'' -l no-drivers -d 'Run no merge driver of the configuration.'
complete -c git-ledger -n '__fish_git_ledger_at \'check\'' -l no-fetch -d 'Fetch no missing object.'
complete -c git-ledger -n '__fish_git_ledger_at \'check\'' -l json -d 'Print one JSON document, for programs.'
complete -c git-ledger -n '__fish_git_ledger_at \'check\'' -l others -d 'Look at the other live agents too.'
complete -c git-ledger -n '__fish_git_ledger_at \'check\'' -l uncommitted -d 'Take uncommitted work in.'
complete -c git-ledger -n '__fish_git_ledger_at \'check\'' -s h -l help -d 'Show this message and exit.'
