/** What the pages need from the server for their first paint. The only file of the pages that reads the container. */
import type { FrameData } from '@/components/workbench/frame-data'

export async function frameData(): Promise<FrameData> {
  return {
    sessions: { sessions: [], nextCursor: null },
    models: { models: [], default: 'rehearsal/script' },
    defaultWorkspace: process.cwd(),
  }
}
