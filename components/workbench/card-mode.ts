/** What a rehearsal script needs to be allowed to do: the least mode in which all of its steps have their tools. */
import type { ApprovalMode } from '@/lib/contract/events'

export function modeOfScript(script: string): ApprovalMode {
  if (/\brun `/.test(script)) return 'full-access'
  if (/\bwrite \S+:/.test(script)) return 'accept-edits'
  return 'ask'
}
