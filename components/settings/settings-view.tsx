'use client'

/** The settings page: models and their providers, the theme, and every key that does something. */
import { useTheme } from 'next-themes'
import { type ReactNode, useSyncExternalStore } from 'react'
import { ModelSettings } from '@/components/settings/model-settings'
import { shortcuts } from '@/components/settings/shortcuts'
import { Segmented } from '@/components/ui/segmented'
import { Shortcut } from '@/components/ui/shortcut'
import { PageShell } from '@/components/workbench/page-shell'
import type { ProvidersAnswer } from '@/lib/contract/providers'

export function SettingsView({ providers }: { providers: ProvidersAnswer }) {
  return (
    <PageShell title="Settings">
      <div className="grid grid-cols-1 gap-8">
        <Part
          title="Models"
          lead="A key entered here is kept on this machine, for you alone, acts at once and beats the environment. It is never sent to a browser."
        >
          <ModelSettings initial={providers} />
        </Part>
        <ThemeSettings />
        <KeySettings />
      </div>
    </PageShell>
  )
}

function Part({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-3">
      <div>
        <h2 className="font-semibold text-base">{title}</h2>
        {lead && <p className="text-ink-muted text-sm">{lead}</p>}
      </div>
      {children}
    </section>
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
