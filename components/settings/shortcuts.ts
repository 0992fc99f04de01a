/** Every key of the screen, as the settings page lists them. */
export interface ShortcutEntry {
  readonly keys: readonly string[]
  readonly does: string
}

export const shortcuts: readonly ShortcutEntry[] = [
  { keys: ['Esc'], does: 'Stop the turn in view; first closes what is open' },
  { keys: ['Enter'], does: 'Send' },
  { keys: ['shift+Enter'], does: 'Break the line' },
  { keys: ['mod+k'], does: 'Command palette: any session, any deed' },
  { keys: ['alt+n', 'mod+n'], does: 'New session' },
  { keys: ['↑', '↓'], does: 'Move in the session list' },
  { keys: ['←', '→'], does: 'Move the edge of a side area that has the focus; Enter folds it' },
]
