'use client'

/** Which model answers, grouped by provider; scripts are said to be scripts (M3). */
import type { ComponentProps } from 'react'
import { Select } from '@/components/ui/select'
import type { ModelInfo } from '@/lib/contract/commands'

export function ModelSelect({
  models,
  value,
  onChange,
  ...rest
}: Omit<ComponentProps<typeof Select>, 'value' | 'onChange' | 'children'> & {
  models: readonly ModelInfo[]
  value: string
  onChange: (model: string) => void
}) {
  const groups = grouped(models)
  const known = models.some((model) => model.id === value)
  return (
    <Select value={value} onChange={(event) => onChange(event.target.value)} {...rest}>
      {!known && <option value={value}>{value}</option>}
      {[...groups].map(([group, members]) => (
        <optgroup key={group} label={group}>
          {members.map((model) => (
            <option key={model.id} value={model.id}>
              {model.label}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}

function grouped(models: readonly ModelInfo[]): Map<string, ModelInfo[]> {
  const groups = new Map<string, ModelInfo[]>()
  for (const model of models) {
    const group = model.scripted ? 'Scripts, not models' : model.provider
    groups.set(group, [...(groups.get(group) ?? []), model])
  }
  return groups
}

/** Whether a model is a script; ids that are not listed are judged by their provider. */
export function isScripted(models: readonly ModelInfo[], id: string): boolean {
  return models.find((model) => model.id === id)?.scripted ?? id.startsWith('rehearsal/')
}
