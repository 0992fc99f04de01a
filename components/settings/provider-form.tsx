'use client'

/** One provider's key and address: save, test with one button, remove. */
import { type FormEvent, useState } from 'react'
import { baseUrlHint, isStored, keyHint } from '@/components/settings/provider-words'
import { type FormResult, useProviderForm } from '@/components/settings/use-provider-form'
import type { ProviderActions } from '@/components/settings/use-providers'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { StateIcon } from '@/components/ui/state-icon'
import { assertNever } from '@/lib/contract/assert-never'
import type { ProviderStatus } from '@/lib/contract/providers'

export interface ProviderFormProps {
  readonly provider: ProviderStatus
  readonly actions: Pick<ProviderActions, 'change' | 'test'>
}

export function ProviderForm({ provider, actions }: ProviderFormProps) {
  const form = useProviderForm(provider, actions)
  const [asking, setAsking] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.canSave) void form.save()
  }
  const canRemove = !form.isBusy && isStored(provider)
  return (
    <form onSubmit={submit} noValidate className="grid grid-cols-1 gap-3">
      <div className="grid grid-cols-1 gap-x-4 gap-y-3 tablet:grid-cols-2">
        <Field label="Key" hint={keyHint(provider.key)} problem={form.problems.apiKey ?? null}>
          {(wiring) => (
            <Input
              {...wiring}
              type="password"
              value={form.apiKey}
              autoComplete="off"
              spellCheck={false}
              maxLength={1000}
              onChange={(event) => form.typeKey(event.target.value)}
              className="font-mono"
            />
          )}
        </Field>
        <Field
          label="Base URL"
          hint={<span className="wrap-anywhere">{baseUrlHint(provider.baseUrl)}</span>}
          problem={form.problems.baseUrl ?? null}
        >
          {(wiring) => (
            <Input
              {...wiring}
              type="url"
              inputMode="url"
              value={form.baseUrl}
              autoComplete="off"
              spellCheck={false}
              maxLength={1000}
              onChange={(event) => form.typeBaseUrl(event.target.value)}
              className="font-mono"
            />
          )}
        </Field>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="accent" aria-disabled={!form.canSave}>
          {form.result.kind === 'saving' ? 'Saving' : 'Save'}
        </Button>
        {form.result.kind === 'testing' ? (
          <Button onClick={form.endTest}>End test</Button>
        ) : (
          <Button aria-disabled={form.isBusy} onClick={() => !form.isBusy && void form.test()}>
            Test
          </Button>
        )}
        {/* Stays when there is nothing to remove any more: it may hold the focus (U10). */}
        <Button
          look="ghost"
          aria-disabled={!canRemove}
          onClick={() => canRemove && setAsking(true)}
          className="ml-auto"
        >
          Remove
        </Button>
      </div>
      <ResultLine result={form.result} />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Remove what is stored for ${provider.label}?`}
        description="Its key and base URL are deleted from this machine. What the environment says counts again."
        confirmLabel="Remove"
        onConfirm={() => void form.remove()}
      />
    </form>
  )
}

/** Always there, so that what appears in it is announced. */
function ResultLine({ result }: { result: FormResult }) {
  return (
    <div role="status" className="flex min-h-5 items-start gap-1.5 text-sm wrap-anywhere">
      {contentOf(result)}
    </div>
  )
}

function contentOf(result: FormResult) {
  switch (result.kind) {
    case 'nothing':
    case 'saving':
      return null
    case 'testing':
      return (
        <>
          <StateIcon state="running" className="mt-0.5" />
          <span>Testing</span>
        </>
      )
    case 'good':
    case 'bad':
      return (
        <>
          <StateIcon state={result.kind === 'good' ? 'done' : 'failed'} className="mt-0.5" />
          <span className="min-w-0">{result.text}</span>
        </>
      )
    default:
      return assertNever(result)
  }
}
