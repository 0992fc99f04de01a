/** The fold from a session's events to its summary (W5), without what only the live agent knows. */
import type { SessionEvent } from '@/lib/contract/events'
import type { ApprovalId, QuestionId, SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'
import { cutText, firstLine } from './cut-text'
import { foldInbox, type InboxItem, type InboxItems, waitingItems } from './inbox'

/** A `Session` without its live fields. `paused` is what the log alone says: the container shows it only while the activity is idle. */
export type SessionRow = Omit<Session, 'activity' | 'resident' | 'waitingOn'>

/** What the fold carries from event to event. It is plain JSON, so that a store can keep it. */
export interface SessionSummary extends Omit<SessionRow, 'title' | 'paused' | 'queue' | 'needs'> {
  /** What a person or program named it; it beats the derived title. */
  readonly givenTitle: string | null
  readonly derivedTitle: string
  /** False while the derived title comes from a queued message, which may still be edited. */
  readonly titleSettled: boolean
  /** The whole inbox, injects included; texts are cut. */
  readonly inbox: InboxItems
  readonly openNeeds: readonly (ApprovalId | QuestionId)[]
}

const queuedTextMax = 500
const titleMax = 80
const nothingYet = new Date(0).toISOString()

/** The summary before the first event. */
export function emptySummary(id: SessionId): SessionSummary {
  return {
    id,
    kind: 'root',
    parentId: null,
    rootId: id,
    depth: 0,
    label: null,
    workspace: '',
    model: '',
    approvalMode: 'ask',
    archived: false,
    createdAt: nothingYet,
    updatedAt: nothingYet,
    lastSeq: 0,
    openTurnId: null,
    lastOutcome: null,
    usage: { inputTokens: 0, outputTokens: 0, estimated: false },
    givenTitle: null,
    derivedTitle: '',
    titleSettled: false,
    inbox: [],
    openNeeds: [],
  }
}

/** Applies one event. */
export function foldSessionSummary(summary: SessionSummary, event: SessionEvent): SessionSummary {
  return {
    ...summary,
    ...changedBy(summary, event),
    inbox: foldInbox(summary.inbox, event).map(cutItem),
    updatedAt: event.at,
    lastSeq: event.seq,
  }
}

/** What the list, the tree and the head of a session show. */
export function sessionRowOf(summary: SessionSummary): SessionRow {
  const { givenTitle, derivedTitle, titleSettled: _, inbox, openNeeds, ...row } = summary
  const waiting = waitingItems(inbox)
  return {
    ...row,
    title: givenTitle ?? derivedTitle,
    paused: summary.openTurnId === null && (waiting.length > 0 || stoppedChild(summary)),
    queue: waiting.map(({ messageId, text, delivery, at }) => ({ messageId, text, delivery, at })),
    needs: openNeeds.length,
  }
}

/** A continuable child that was stopped waits for a word even with an empty queue (SPEC 1, paused). */
function stoppedChild(summary: SessionSummary): boolean {
  return summary.kind === 'continuable' && summary.lastOutcome?.kind === 'aborted'
}

function changedBy(summary: SessionSummary, event: SessionEvent): Partial<SessionSummary> {
  switch (event.type) {
    case 'session.created': {
      const { title, forkedFrom: _, imported: __, ...header } = event.data
      return { ...header, createdAt: event.at, givenTitle: title ?? null }
    }
    case 'session.changed': {
      const { title, ...rest } = event.data
      return { ...defined(rest), ...(title !== undefined && { givenTitle: title }) }
    }
    case 'inbox.queued':
      return event.data.delivery === 'inject' ? {} : provisionalTitle(summary, event.data.text)
    case 'user.message':
      return settledTitle(summary, event.data.blocks.map((block) => block.text).join('\n'))
    case 'turn.start':
      return { openTurnId: event.data.turnId, turnStartedAt: event.at }
    case 'turn.end':
      return { openTurnId: null, turnStartedAt: null, lastOutcome: event.data.outcome, openNeeds: [] }
    case 'approval.requested':
      return { openNeeds: [...summary.openNeeds, event.data.approvalId] }
    case 'question.requested':
      return { openNeeds: [...summary.openNeeds, event.data.questionId] }
    case 'approval.resolved':
      return { openNeeds: summary.openNeeds.filter((id) => id !== event.data.approvalId) }
    case 'question.resolved':
      return { openNeeds: summary.openNeeds.filter((id) => id !== event.data.questionId) }
    case 'step.end': {
      const { usage } = event.data
      return {
        usage: {
          inputTokens: summary.usage.inputTokens + usage.inputTokens,
          outputTokens: summary.usage.outputTokens + usage.outputTokens,
          estimated: summary.usage.estimated || usage.estimated,
        },
      }
    }
    default:
      return {} // the rest changes nothing but the time of the last activity
  }
}

function provisionalTitle(summary: SessionSummary, text: string): Partial<SessionSummary> {
  return summary.titleSettled || summary.derivedTitle !== '' ? {} : { derivedTitle: firstLine(text, titleMax) }
}

function settledTitle(summary: SessionSummary, text: string): Partial<SessionSummary> {
  return summary.titleSettled ? {} : { derivedTitle: firstLine(text, titleMax), titleSettled: true }
}

function cutItem(item: InboxItem): InboxItem {
  return item.text.length <= queuedTextMax ? item : { ...item, text: cutText(item.text, queuedTextMax) }
}

function defined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Partial<T>
}
