'use client'

/** The settings page: models and where their keys are read from, the theme, and every key that does something. */
import { useTheme } from 'next-themes'
import { type ReactNode, useSyncExternalStore } from 'react'
import { providerVariables } from '@/components/settings/provider-variables'
import { shortcuts } from '@/components/settings/shortcuts'
import { Notice } from '@/components/ui/notice'
import { Segmented } from '@/components/ui/segmented'
import { Shortcut } from '@/components/ui/shortcut'
import { StateMark } from '@/components/ui/state-mark'
import { PageShell } from '@/components/workbench/page-shell'
import { useModels } from '@/components/workbench/queries'

export function SettingsView() {
  return (
    <PageShell title="Settings">
      <div className="grid gap-8">
        <ModelSettings />
        <ThemeSettings />
        <KeySettings />
      </div>
    </PageShell>
  )
}

function Part({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <section className="grid gap-3">
      <div>
        <h2 className="font-semibold text-base">{title}</h2>
        {lead && <p className="text-ink-muted text-sm">{lead}</p>}
      </div>
      {children}
    </section>
  )
}

function ModelSettings() {
  const { models, problem } = useModels()
  return (
    <Part
      title="Models"
      lead="Keys are read from the environment when Belay starts, and never leave the server. Set a variable and start again."
    >
      {problem && <Notice tone="failure">The models could not be loaded. {problem}</Notice>}
      <p className="text-sm">
        New sessions use <code className="rounded-mark bg-sunken px-1 text-xs">{models.default}</code>. Another default
        is set with <code className="rounded-mark bg-sunken px-1 text-xs">BELAY_MODEL</code>.
      </p>
      <ul className="grid divide-y rounded-card border">
        {providerVariables.map(({ provider, name, variables }) => {
          const count = models.models.filter((model) => model.provider === provider).length
          return (
            <li key={provider} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
              <span className="min-w-48 grow">
                <span className="block font-medium text-sm">{name}</span>
                <span className="block break-all font-mono text-ink-faint text-xs">{variables.join('  ')}</span>
              </span>
              <StateMark
                state={count > 0 ? 'done' : 'new'}
                text={count > 0 ? `Configured, ${count === 1 ? '1 model' : `${count} models`}` : 'Not configured'}
              />
            </li>
          )
        })}
      </ul>
    </Part>
  )
}

const themeSegments = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

function ThemeSettings() {
  const { theme, setTheme } = useTheme()
  const awake = useSyncExternalStore(
    stays,
    () => true,
    () => false,
  )
  const chosen = themeSegments.find((segment) => awake && segment.value === theme)?.value ?? 'system'
  return (
    <Part title="Theme">
      <Segmented label="Theme" value={chosen} onChange={setTheme} segments={themeSegments} className="w-fit" />
    </Part>
  )
}

function KeySettings() {
  return (
    <Part title="Keys" lead="Everything a mouse can do has a key, and the palette knows it.">
      <dl className="grid divide-y rounded-card border">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="flex items-center gap-4 px-3 py-2">
            <dt className="grow text-sm">{does}</dt>
            <dd className="flex gap-1.5">
              {keys.map((key) => (
                <Shortcut key={key} keys={key} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}

function stays(): () => void {
  return () => {}
}
