/** The mark of Belay: a rope that holds. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className={className ?? 'size-5 shrink-0 text-accent'}>
      <path
        d="M6 2.5v9.25a4 4 0 1 0 4-4H6"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="10" cy="11.75" r="1.35" fill="currentColor" />
    </svg>
  )
}
