import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import './globals.css'
import { bootScript } from '@/components/workbench/boot-script'
import { Providers } from '@/components/workbench/providers'

export const metadata: Metadata = {
  title: { default: 'Belay', template: '%s · Belay' },
  description: 'Run agents on this machine: see every step, stop any turn, keep what was done.',
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f5f4f1' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1012' },
  ],
}

/** Reading the nonce makes every page dynamic, which the content security policy needs (W11). */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  // eslint-disable-next-line react-hooks/purity -- rendered once per request; the client starts from this same moment
  const now = Date.now()
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, allowed by the nonce; it sets the panel widths before the first paint */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: bootScript }} />
        <Providers nonce={nonce} now={now} timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}>
          {children}
        </Providers>
      </body>
    </html>
  )
}
