# Notes on rewritten commits, as fast-import's commands. In: what a new note starts with
# (nothing where no agent works), the pairs `old new`, and all notes on those commits.
# A commit rewritten where no agent works stays its agent's.

/^\001/ { part = substr($0, 2); next }
part == "base" { base = base $0 "\n"; if (/^agent: /) owner = substr($0, 8); next }
part == "pairs" {
  split($0, pair, " ")
  if (!(pair[2] in olds)) order[++count] = pair[2]
  olds[pair[2]] = olds[pair[2]] pair[1] " "
  next
}
$0 != "" { note[part] = note[part] $0 "\n" }

END { for (i = 1; i <= count; i++) write(order[i]) }

function write(new,    all, n, k, agent, text) {
  n = split(olds[new], all, " ")
  agent = owner
  text = base
  for (k = 0; text == "" && k <= n; k++) {
    agent = value(k ? all[k] : new, "agent")
    if (agent != "") text = "agent: " agent "\niteration: " (value(k ? all[k] : new, "iteration") + 0) "\n"
  }
  if (text == "") return
  split("", seen)
  supersedes = sources = others = ""
  inherit(new, agent, 1)
  for (k = 1; k <= n; k++) {
    if (all[k] != new) supersedes = supersedes once("supersedes: " all[k])
    inherit(all[k], agent, 0)
    print "# " all[k] " " new " " agent
  }
  print "M 100644 inline " substr(new, 1, 2) "/" substr(new, 3)
  print "data <<END-OF-NOTE"
  print text supersedes sources others "END-OF-NOTE"
}

# What the note on a commit hands on: the agents it came from; if it is the new commit's
# own, everything but what is written afresh.
function inherit(commit, agent, own,    line, n, i) {
  n = split(note[commit], line, "\n")
  for (i = 1; i < n; i++) {
    if (line[i] ~ /^from: /) { if (line[i] != "from: " agent) sources = sources once(line[i]) }
    else if (line[i] ~ /^agent: /) {
      if (line[i] != "agent: " agent) sources = sources once("from: " substr(line[i], 8))
    }
    else if (own && line[i] ~ /^supersedes: /) supersedes = supersedes once(line[i])
    else if (own && line[i] !~ /^(iteration|source|unknown): /) others = others once(line[i])
  }
}

function once(line) { return line in seen ? "" : (seen[line] = line "\n") }

function value(commit, key,    line, n, i) {
  n = split(note[commit], line, "\n")
  for (i = 1; i < n; i++)
    if (index(line[i], key ": ") == 1) return substr(line[i], length(key) + 3)
  return ""
}
