'use client'

/** The transcript's follower for as long as it is mounted. */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { Follower } from '@/components/transcript/follower'

export interface Follow {
  readonly following: boolean
  readonly toEnd: () => void
  readonly rest: () => void
}

export function useFollow(
  box: RefObject<HTMLElement | null>,
  inner: RefObject<HTMLElement | null>,
  initially: 'follow' | 'rest',
  endIsNewest: boolean,
): Follow {
  const [following, setFollowing] = useState(initially === 'follow')
  const [wasFollowing] = useState(following)
  const follower = useRef<Follower | null>(null)
  useLayoutEffect(() => {
    if (!box.current || !inner.current) return
    const made = new Follower(box.current, inner.current, wasFollowing, setFollowing)
    follower.current = made
    return () => made.leave()
  }, [box, inner, wasFollowing])
  useLayoutEffect(() => follower.current?.endIsNewest(endIsNewest), [endIsNewest])
  const toEnd = useCallback(() => follower.current?.toEnd(), [])
  const rest = useCallback(() => follower.current?.rest(), [])
  return { following, toEnd, rest }
}
