/** Code as coloured words: shiki with its JavaScript engine, loaded when the first code block is seen. */
import type { HighlighterCore, LanguageInput, ThemedToken } from 'shiki/core'

export type CodeLine = readonly ThemedToken[]

const languages: Readonly<Record<string, () => Promise<{ default: LanguageInput }>>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

const aliases: Readonly<Record<string, string>> = {
  cs: 'csharp',
  dockerfile: 'docker',
  js: 'javascript',
  kt: 'kotlin',
  md: 'markdown',
  mjs: 'javascript',
  patch: 'diff',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
  'c++': 'cpp',
}

let core: Promise<HighlighterCore> | null = null
const loaded = new Map<string, Promise<boolean>>()
const cache = new Map<string, readonly CodeLine[]>()
const cacheSize = 300

/** The language that a fence's word stands for; null when it is none that we colour. */
export function languageOf(word: string): string | null {
  const name = word.toLowerCase()
  const language = aliases[name] ?? name
  return language in languages ? language : null
}

/** Lines of coloured words, from the cache if they are there. Null for a language that cannot be coloured. */
export async function highlight(code: string, language: string): Promise<readonly CodeLine[] | null> {
  const known = cached(code, language)
  if (known) return known
  core ??= load()
  const highlighter = await core
  if (!(await ready(highlighter, language))) return null
  const { tokens } = highlighter.codeToTokens(code, {
    lang: language,
    themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // The theme's grey for comments is made for white; on our ground it is too faint to read (U10).
    colorReplacements: { 'github-light-high-contrast': { '#66707b': '#545c66' } },
    defaultColor: false,
    cssVariablePrefix: '--code-',
  })
  cache.set(keyOf(code, language), tokens)
  for (const oldest of cache.keys()) {
    if (cache.size <= cacheSize) break
    cache.delete(oldest)
  }
  return tokens
}

/** What was coloured before, at once. */
export function cached(code: string, language: string): readonly CodeLine[] | null {
  return cache.get(keyOf(code, language)) ?? null
}

function keyOf(code: string, language: string): string {
  return `${language}\n${code}`
}

async function load(): Promise<HighlighterCore> {
  const [{ createHighlighterCore }, { createJavaScriptRegexEngine }, light, dark] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
    import('shiki/themes/github-light-high-contrast.mjs'),
    import('shiki/themes/github-dark-high-contrast.mjs'),
  ])
  return createHighlighterCore({
    themes: [light.default, dark.default],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
}

function ready(highlighter: HighlighterCore, language: string): Promise<boolean> {
  const known = loaded.get(language)
  if (known) return known
  const load = languages[language]
  const wait = load
    ? load().then(
        async (module) => {
          await highlighter.loadLanguage(module.default)
          return true
        },
        // The chunk could not be loaded: the code stays without colours.
        () => false,
      )
    : Promise.resolve(false)
  loaded.set(language, wait)
  return wait
}
