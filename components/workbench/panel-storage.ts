/** Where the measures of the side areas are remembered in this browser. */
export const panelStorageKey = 'belay.panels'
