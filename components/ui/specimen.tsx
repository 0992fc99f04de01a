/** How the fixture page shows things: a named group, and in it each thing with its state below. */
import type { ReactNode } from 'react'

export function SpecimenGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3 border-t py-6" id={title.toLowerCase().replaceAll(' ', '-')}>
      <h2 className="font-semibold text-base">{title}</h2>
      <div className="flex flex-wrap items-start gap-4">{children}</div>
    </section>
  )
}

/** `wide` takes the whole line. */
export function Specimen({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <figure className={wide ? 'grid w-full min-w-0 gap-1.5' : 'grid min-w-0 gap-1.5'}>
      <div className="min-w-0">{children}</div>
      <figcaption className="text-ink-faint text-xs">{name}</figcaption>
    </figure>
  )
}
