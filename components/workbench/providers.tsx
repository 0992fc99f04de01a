'use client'

/** Everything that stands once around all pages: theme, clock, questions to the server, address state, tooltips, voice, toasts. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ThemeProvider } from 'next-themes'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useState } from 'react'
import { ClockProvider } from '@/components/ui/clock'
import { Toaster } from '@/components/ui/toast'
import { Announcer } from '@/components/workbench/announcer'

export interface ProvidersProps {
  /** The nonce of this response, for the one inline script of the theme (W11). */
  readonly nonce: string | undefined
  /** When and in which zone the server rendered the page. */
  readonly now: number
  readonly timeZone: string
  readonly children: ReactNode
}

export function Providers({ nonce, now, timeZone, children }: ProvidersProps) {
  const [client] = useState(newQueryClient)
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="system" enableSystem {...(nonce && { nonce })}>
      <QueryClientProvider client={client}>
        <NuqsAdapter>
          <ClockProvider now={now} timeZone={timeZone}>
            <Announcer>
              {children}
              <Toaster />
            </Announcer>
          </ClockProvider>
        </NuqsAdapter>
      </QueryClientProvider>
    </ThemeProvider>
  )
}

/** The stream says what changed, so answers do not age by the clock; a failed question is asked once more. */
function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { staleTime: 30_000, retry: 1, refetchOnWindowFocus: true } },
  })
}
