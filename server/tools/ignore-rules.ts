/** What `.gitignore` files say, for a walk without ripgrep. */
import { join } from 'node:path'
import { compileGlob, type GlobMatcher } from './glob'
import { linesOf } from './text-file'
import { ToolFault } from './tool-fault'
import type { Entry, FolderFilter } from './walk'
import { readWholeFile } from './workspace-files'
import type { Place } from './workspace-path'

const maxRuleBytes = 256 * 1024

interface Rule {
  readonly matches: GlobMatcher
  readonly verdict: 'ignored' | 'kept'
  readonly onlyFolders: boolean
}

/**
 * Leaves out what a `.gitignore` in the walk's own folders names; a nearer file and a later line win. A file that `insists`
 * accepts stays whatever the rules say, as ripgrep has it for its globs.
 */
export function ignoreFilter(start: Place, insists: (entry: Entry) => boolean): FolderFilter {
  const rulesOf = new Map<string, readonly Rule[]>()
  return async (folder, entries) => {
    if (entries.some((entry) => entry.path === below(folder, '.gitignore') && entry.kind === 'file')) {
      rulesOf.set(folder, await readRules(start, folder))
    }
    if (rulesOf.size === 0) return entries
    return entries.filter((entry) => (entry.kind === 'file' && insists(entry)) || !isIgnored(entry, folder, rulesOf))
  }
}

function isIgnored(entry: Entry, folder: string, rulesOf: ReadonlyMap<string, readonly Rule[]>): boolean {
  for (let from: string | undefined = folder; from !== undefined; from = parentOf(from)) {
    const path = from === '' ? entry.path : entry.path.slice(from.length + 1)
    const rule = rulesOf
      .get(from)
      ?.findLast((one) => (!one.onlyFolders || entry.kind === 'folder') && one.matches(path))
    if (rule) return rule.verdict === 'ignored'
  }
  return false
}

async function readRules(start: Place, folder: string): Promise<Rule[]> {
  const names = folder === '' ? [] : folder.split('/')
  const segments = [...start.segments, ...names, '.gitignore']
  try {
    const place = { root: start.root, segments, shown: join(...segments) }
    const { bytes } = await readWholeFile(place, maxRuleBytes, new AbortController().signal)
    return linesOf(bytes.toString('utf8')).flatMap(ruleOf)
  } catch (error) {
    // Vanished or not readable: then it says nothing.
    if (error instanceof ToolFault) return []
    throw error
  }
}

function ruleOf(line: string): Rule[] {
  const text = line.replace(/(?<!\\)\s+$/, '')
  if (text === '' || text.startsWith('#')) return []
  const isNegated = text.startsWith('!')
  const onlyFolders = text.endsWith('/')
  const body = text.slice(isNegated ? 1 : 0, onlyFolders ? -1 : undefined)
  const isAnchored = body.includes('/')
  try {
    const matches = compileGlob(isAnchored ? body : `**/${body}`)
    return [{ matches, verdict: isNegated ? 'kept' : 'ignored', onlyFolders }]
  } catch (error) {
    // A line that is no pattern is passed over, as git does.
    if (error instanceof ToolFault) return []
    throw error
  }
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

function parentOf(folder: string): string | undefined {
  if (folder === '') return undefined
  const slash = folder.lastIndexOf('/')
  return slash === -1 ? '' : folder.slice(0, slash)
}
