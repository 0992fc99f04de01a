'use client'

/** Which model new sessions use, and what decided it (M2). */
import { useRef, useState } from 'react'
import type { ProviderActions } from '@/components/settings/use-providers'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { ModelSelect } from '@/components/workbench/model-select'
import { reasonOf } from '@/lib/client/api'
import type { ModelInfo } from '@/lib/contract/commands'
import type { DefaultModel } from '@/lib/contract/providers'

const hints: Record<DefaultModel['from'], string> = {
  environment: 'BELAY_MODEL says so. It beats what is chosen here: start Belay without it to choose.',
  settings: 'Chosen here. A session can use another one.',
  usual: 'The first that is set up, else a model server on this machine, else the script.',
}

export function DefaultModelField({
  models,
  defaultModel,
  onChoose,
}: {
  models: readonly ModelInfo[]
  defaultModel: DefaultModel
  onChoose: ProviderActions['chooseDefault']
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const select = useRef<HTMLSelectElement>(null)
  const choose = async (model: string | null) => {
    setProblem(null)
    try {
      await onChoose(model)
    } catch (error) {
      setProblem(`Not changed. ${reasonOf(error)}`)
    }
  }
  return (
    <Field label="New sessions use" hint={hints[defaultModel.from]} problem={problem}>
      {(wiring) => (
        <div className="flex flex-wrap items-center gap-2">
          <ModelSelect
            {...wiring}
            ref={select}
            models={models}
            value={defaultModel.model}
            onChange={(model) => void choose(model)}
            disabled={defaultModel.from === 'environment'}
            className="w-80 max-w-full"
          />
          {defaultModel.from === 'settings' && (
            <Button
              look="ghost"
              onClick={() => {
                select.current?.focus()
                void choose(null)
              }}
            >
              Use the usual order
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
