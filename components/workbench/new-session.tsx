'use client'

/** The empty screen: what Belay is, the form that starts a session, and things to try without a key (M3). */
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Logo } from '@/components/ui/logo'
import { Notice } from '@/components/ui/notice'
import { ListSheetButton } from '@/components/workbench/app-frame'
import { useFrameData } from '@/components/workbench/frame-data'
import { NewSessionForm, type NewSessionRequest } from '@/components/workbench/new-session-form'
import { useModels } from '@/components/workbench/queries'
import { RehearsalCards } from '@/components/workbench/rehearsal-cards'
import { api, reasonOf } from '@/lib/client/api'
import { randomName } from '@/lib/client/tab-life'

export function NewSession() {
  const { defaultWorkspace } = useFrameData()
  const { models } = useModels()
  const router = useRouter()
  const [workspace, setWorkspace] = useState(defaultWorkspace)
  const [starting, setStarting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const start = async (request: NewSessionRequest) => {
    setStarting(true)
    setProblem(null)
    try {
      const { session } = await api.createSession({
        model: request.model,
        approvalMode: request.approvalMode,
        message: { text: request.text, clientId: randomName() },
        ...(workspace.trim() !== '' && { workspace: workspace.trim() }),
      })
      router.push(`/s/${session.id}`)
    } catch (error) {
      setProblem(reasonOf(error))
      setStarting(false)
    }
  }

  return (
    <main id="main" tabIndex={-1} className="scroll-thin min-w-0 grow overflow-y-auto bg-surface outline-none">
      <div className="flex h-13 items-center px-2 tablet:hidden">
        <ListSheetButton />
      </div>
      <div className="mx-auto grid w-full grid-cols-1 max-w-[760px] gap-8 px-4 pt-[max(16px,9vh)] pb-12">
        <div className="grid gap-1">
          <h1 className="flex items-center gap-2.5 font-semibold text-xl">
            <Logo className="size-6 shrink-0 text-accent" />
            What should the agent do?
          </h1>
          <p className="text-base text-ink-muted">
            Belay runs agents on this machine. You see every step, stop any turn, and keep what was done.
          </p>
        </div>
        <div className="grid grid-cols-1 gap-3">
          <NewSessionForm
            models={models.models}
            defaultModel={models.default}
            defaultWorkspace={defaultWorkspace}
            workspace={workspace}
            onWorkspace={setWorkspace}
            starting={starting}
            focus="take"
            onStart={start}
          />
          {problem && <Notice tone="failure">{problem}</Notice>}
        </div>
        <RehearsalCards models={models.models} disabled={starting} onStart={start} />
      </div>
    </main>
  )
}
