# bash completion of `git ledger`: git's own completion finds _git_ledger and calls it.
# Written by `python -m docs.pages` from the commands; changes here are lost.

# Sets children, options and arguments for a command; fails where there is none.
__git_ledger_command ()
{
	children= options= arguments=
	case "$1" in
	"") children="init demo deinit doctor help spawn adopt list show log current path diff who set reconcile verify prune start report revise complete fail close interrupt resume retry abandon wait conflicts check plan merge gate session usage detect markers handoff import export" options="--version --color= --help" ;;
	"init") options="--gates --no-gates --dry-run --json --help" ;;
	"demo") options="--keep --help" arguments="files" ;;
	"deinit") options="--dry-run --json --help" ;;
	"doctor") options="--json --help" ;;
	"help") options="--man --completion= --help" arguments="commands" ;;
	"spawn") options="--id= --branch= --path= --from= --here --queue --from-plan= --role= --target= --parent= --phase= --plan= --segment= --group= --granularity= --mode= --depends-on= --file= --check= --background --foreground --max-turns= --output-file= --session-phase= --pid= --json --help" ;;
	"adopt") options="--all --id= --title= --help" arguments="files" ;;
	"list") options="--status= --state= --group= --in-group --role= --phase= --plan= --parent= --churn --since= --archived --tree --json --porcelain --help" ;;
	"show") options="--json --help" arguments="agents" ;;
	"log") options="--json --porcelain --help" arguments="agents" ;;
	"current") options="--json --help" ;;
	"path") options="--help" arguments="agents" ;;
	"diff") options="--uncommitted --help" arguments="agents" ;;
	"who") options="--json --help" arguments="refs" ;;
	"set") options="--title= --role= --target= --parent= --phase= --plan= --segment= --group= --granularity= --mode= --depends-on= --file= --check= --background --foreground --max-turns= --output-file= --session-phase= --pid= --unset= --json --help" arguments="agents" ;;
	"reconcile") options="--json --help" ;;
	"verify") options="--verdicts --json --help" ;;
	"prune") options="--dry-run --max= --delete --json --help" ;;
	"start") options="--branch= --path= --from= --pid= --yes --json --help" arguments="agents" ;;
	"report") options="--summary= --result= --outcome= --from-output= --summary-file= --run-checks --task= --checkpoints-skipped= --output-file= --input= --output= --cached= --tool-uses= --turns= --compactions= --json --help" arguments="agents" ;;
	"revise") options="--why= --pid= --json --help" arguments="agents" ;;
	"complete") options="--summary= --result= --json --help" arguments="agents" ;;
	"fail") options="--error= --json --help" arguments="agents" ;;
	"close") options="--accepted --rejected --message= --remove --yes --json --help" arguments="agents" ;;
	"interrupt") options="--why= --json --help" arguments="agents" ;;
	"resume") options="--batch --recreate-worktree --dry-run --pid= --yes --json --help" arguments="agents" ;;
	"retry") options="--title= --id= --branch= --path= --from= --role= --target= --parent= --phase= --plan= --segment= --group= --granularity= --mode= --depends-on= --file= --check= --background --foreground --max-turns= --output-file= --session-phase= --pid= --json --help" arguments="agents" ;;
	"abandon") options="--group= --running --why= --json --help" arguments="agents" ;;
	"wait") options="--group= --ended --timeout= --json --help" arguments="agents" ;;
	"conflicts") options="--onto= --no-drivers --no-fetch --json --diff --drift= --committed --all-pairs --exit-code --help" arguments="agents" ;;
	"check") options="--onto= --no-drivers --no-fetch --json --diff --others --uncommitted --help" arguments="agents" ;;
	"plan") options="--onto= --no-drivers --no-fetch --json --help" arguments="agents" ;;
	"merge") options="--onto= --no-ff --ff-only --message= --override --remove --json --help" arguments="agents" ;;
	"gate") options="--help" arguments="pre-commit pre-merge-commit pre-push manual" ;;
	"session") children="phase error resume start show list set archive verify" options="--help" ;;
	"session phase") children="add start retry skip complete fail" options="--help" ;;
	"session phase add") options="--id= --parallel --blocked-by= --agent= --file= --help" ;;
	"session phase start") options="--help" ;;
	"session phase retry") options="--why= --override --help" ;;
	"session phase skip") options="--yes --help" ;;
	"session phase complete") options="--context= --help" ;;
	"session phase fail") options="--error= --type= --agent= --help" ;;
	"session error") children="add resolve" options="--help" ;;
	"session error add") options="--type= --agent= --help" ;;
	"session error resolve") options="--resolution= --help" ;;
	"session resume") options="--retry --skip --abort --adjust --override --yes --json --help" ;;
	"session start") options="--phases= --design= --plan= --express --json --help" ;;
	"session show") options="--as= --json --help" ;;
	"session list") options="--json --help" ;;
	"session set") options="--task= --execution-mode= --execution-backend= --task-complexity= --session= --help" ;;
	"session archive") options="--json --help" ;;
	"session verify") options="--json --help" ;;
	"usage") children="add" options="--help" ;;
	"usage add") options="--role= --input= --output= --cached= --tool-uses= --turns= --compactions= --help" arguments="agents" ;;
	"detect") options="--output= --summary= --json --help" arguments="agents" ;;
	"markers") options="--role= --json --help" ;;
	"handoff") children="check" options="--help" ;;
	"handoff check") options="--json --help" arguments="plan summary" ;;
	"import") children="gsd maestro" options="--help" ;;
	"import gsd") options="--json --help" arguments="files" ;;
	"import maestro") options="--json --help" arguments="files" ;;
	"export") children="gsd maestro agent-trace" options="--help" ;;
	"export gsd") options="--output= --help" ;;
	"export maestro") options="--output= --help" ;;
	"export agent-trace") options="--output= --help" arguments="agents" ;;
	*) return 1 ;;
	esac
}

# Sets values for an option of a command; fails for one that takes no value.
__git_ledger_value ()
{
	values=
	case "$1|$2" in
	"|-C") values="files" ;;
	"|--color") values="auto always never" ;;
	"help|--completion") values="bash zsh fish" ;;
	"spawn|--id") values="agents" ;;
	"spawn|-b"|"spawn|--branch") values="" ;;
	"spawn|--path") values="files" ;;
	"spawn|--from") values="refs" ;;
	"spawn|--from-plan") values="files" ;;
	"spawn|--role") values="" ;;
	"spawn|--target") values="refs" ;;
	"spawn|--parent") values="agents" ;;
	"spawn|--phase") values="" ;;
	"spawn|--plan") values="" ;;
	"spawn|--segment") values="" ;;
	"spawn|--group") values="" ;;
	"spawn|--granularity") values="plan task_group" ;;
	"spawn|--mode") values="sequential parallel" ;;
	"spawn|--depends-on") values="agents" ;;
	"spawn|--file") values="files" ;;
	"spawn|--check") values="" ;;
	"spawn|--max-turns") values="" ;;
	"spawn|--output-file") values="files" ;;
	"spawn|--session-phase") values="" ;;
	"spawn|--pid") values="" ;;
	"adopt|--id") values="agents" ;;
	"adopt|--title") values="" ;;
	"list|--status") values="queued spawned resumed awaiting-review interrupted completed failed" ;;
	"list|--state") values="queued running awaiting-review interrupted closed" ;;
	"list|--group") values="" ;;
	"list|--role") values="" ;;
	"list|--phase") values="" ;;
	"list|--plan") values="" ;;
	"list|--parent") values="" ;;
	"list|--since") values="" ;;
	"set|--title") values="" ;;
	"set|--role") values="" ;;
	"set|--target") values="refs" ;;
	"set|--parent") values="agents" ;;
	"set|--phase") values="" ;;
	"set|--plan") values="" ;;
	"set|--segment") values="" ;;
	"set|--group") values="" ;;
	"set|--granularity") values="plan task_group" ;;
	"set|--mode") values="sequential parallel" ;;
	"set|--depends-on") values="agents" ;;
	"set|--file") values="files" ;;
	"set|--check") values="" ;;
	"set|--max-turns") values="" ;;
	"set|--output-file") values="files" ;;
	"set|--session-phase") values="" ;;
	"set|--pid") values="" ;;
	"set|--unset") values="" ;;
	"prune|--max") values="" ;;
	"start|-b"|"start|--branch") values="" ;;
	"start|--path") values="files" ;;
	"start|--from") values="refs" ;;
	"start|--pid") values="" ;;
	"report|-m"|"report|--summary") values="" ;;
	"report|--result") values="" ;;
	"report|--outcome") values="" ;;
	"report|--from-output") values="files" ;;
	"report|--summary-file") values="files" ;;
	"report|--task") values="" ;;
	"report|--checkpoints-skipped") values="" ;;
	"report|--output-file") values="files" ;;
	"report|--input") values="" ;;
	"report|--output") values="" ;;
	"report|--cached") values="" ;;
	"report|--tool-uses") values="" ;;
	"report|--turns") values="" ;;
	"report|--compactions") values="" ;;
	"revise|-m"|"revise|--why") values="" ;;
	"revise|--pid") values="" ;;
	"complete|-m"|"complete|--summary") values="" ;;
	"complete|--result") values="" ;;
	"fail|-m"|"fail|--error") values="" ;;
	"close|-m"|"close|--message") values="" ;;
	"interrupt|-m"|"interrupt|--why") values="" ;;
	"resume|--pid") values="" ;;
	"retry|--title") values="" ;;
	"retry|--id") values="agents" ;;
	"retry|-b"|"retry|--branch") values="" ;;
	"retry|--path") values="files" ;;
	"retry|--from") values="refs" ;;
	"retry|--role") values="" ;;
	"retry|--target") values="refs" ;;
	"retry|--parent") values="agents" ;;
	"retry|--phase") values="" ;;
	"retry|--plan") values="" ;;
	"retry|--segment") values="" ;;
	"retry|--group") values="" ;;
	"retry|--granularity") values="plan task_group" ;;
	"retry|--mode") values="sequential parallel" ;;
	"retry|--depends-on") values="agents" ;;
	"retry|--file") values="files" ;;
	"retry|--check") values="" ;;
	"retry|--max-turns") values="" ;;
	"retry|--output-file") values="files" ;;
	"retry|--session-phase") values="" ;;
	"retry|--pid") values="" ;;
	"abandon|--group") values="" ;;
	"abandon|-m"|"abandon|--why") values="" ;;
	"wait|--group") values="" ;;
	"wait|--timeout") values="" ;;
	"conflicts|--onto") values="refs" ;;
	"conflicts|--drift") values="agents" ;;
	"check|--onto") values="refs" ;;
	"plan|--onto") values="refs" ;;
	"merge|--onto") values="refs" ;;
	"merge|-m"|"merge|--message") values="" ;;
	"session phase add|--id") values="" ;;
	"session phase add|--blocked-by") values="" ;;
	"session phase add|--agent") values="agents" ;;
	"session phase add|--file") values="files" ;;
	"session phase retry|-m"|"session phase retry|--why") values="" ;;
	"session phase complete|--context") values="files" ;;
	"session phase fail|--error") values="" ;;
	"session phase fail|--type") values="validation timeout file_conflict runtime dependency" ;;
	"session phase fail|--agent") values="agents" ;;
	"session error add|--type") values="validation timeout file_conflict runtime dependency" ;;
	"session error add|--agent") values="agents" ;;
	"session error resolve|-m"|"session error resolve|--resolution") values="" ;;
	"session start|--phases") values="files" ;;
	"session start|--design") values="files" ;;
	"session start|--plan") values="files" ;;
	"session show|--as") values="terminal markdown" ;;
	"session set|--task") values="" ;;
	"session set|--execution-mode") values="" ;;
	"session set|--execution-backend") values="" ;;
	"session set|--task-complexity") values="" ;;
	"session set|--session") values="" ;;
	"usage add|--role") values="" ;;
	"usage add|--input") values="" ;;
	"usage add|--output") values="" ;;
	"usage add|--cached") values="" ;;
	"usage add|--tool-uses") values="" ;;
	"usage add|--turns") values="" ;;
	"usage add|--compactions") values="" ;;
	"detect|--output") values="files" ;;
	"detect|--summary") values="files" ;;
	"markers|--role") values="" ;;
	"export gsd|-o"|"export gsd|--output") values="files" ;;
	"export maestro|-o"|"export maestro|--output") values="files" ;;
	"export agent-trace|-o"|"export agent-trace|--output") values="files" ;;
	*) return 1 ;;
	esac
}

# The ids of the agents, as a shell would have them typed.
__git_ledger_agents ()
{
	local ref name
	__git for-each-ref --format='%(refname:lstrip=3)' 'refs/ledger/agents/*/log' |
	while IFS= read -r ref; do
		ref="${ref%/log}"
		case "$ref" in
		*%h*) continue ;; # a hash: the id can't be told from it
		esac
		printf -v name '%b' "${ref//%/\\x}"
		printf '%q\n' "$name"
	done
}

__git_ledger_offer ()
{
	case "$1" in
	agents) __gitcomp_nl "$(__git_ledger_agents)" "" "$2" ;;
	refs) __git_complete_refs --cur="$2" ;;
	commands) __git_ledger_command "" && __gitcomp "$children" "" "$2" ;;
	files|"") ;; # nothing from here: bash offers files
	*) __gitcomp "$1" "" "$2" ;;
	esac
}

_git_ledger ()
{
	local path= word values= children= options= arguments=
	local i=$((__git_cmd_idx + 1))
	while [ "$i" -lt "$cword" ]; do
		word="${words[i]}"
		if __git_ledger_value "$path" "$word"; then
			i=$((i + 1))
		elif __git_ledger_command "${path:+$path }$word"; then
			path="${path:+$path }$word"
		fi
		i=$((i + 1))
	done
	__git_ledger_command "$path"
	case "$cur" in
	--*=*)
		__git_ledger_value "$path" "${cur%%=*}" && __git_ledger_offer "$values" "${cur#*=}"
		return ;;
	esac
	if [ "$i" -gt "$cword" ] && __git_ledger_value "$path" "$prev"; then
		__git_ledger_offer "$values" "$cur"
		return
	fi
	case "$cur" in
	-*) __gitcomp "$options" ;;
	*)
		if [ -n "$children" ]; then
			__gitcomp "$children"
		else
			__git_ledger_offer "$arguments" "$cur"
		fi ;;
	esac
}
