'use client'

/** How far the browser has taken over the page that the server sent. */
import { useEffect, useState, useSyncExternalStore } from 'react'

/** False on the server and in the render that takes over what it sent; true from then on. */
export function useAwake(): boolean {
  return useSyncExternalStore(
    stays,
    () => true,
    () => false,
  )
}

/** As `useAwake`, but true only once the page has been measured: two frames later. A page that was not sent by the server is settled at once. */
export function useSettled(): boolean {
  const awake = useAwake()
  const [settled, setSettled] = useState(awake)
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setSettled(true))
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return settled
}

function stays(): () => void {
  return () => {}
}
