/** Ids that sort by their time of birth and cannot be guessed. */
import { randomBytes } from 'node:crypto'
import type { IdByPrefix, IdPrefix } from '@/lib/contract/ids'
import type { Ids } from './ports'

export const randomIds: Ids = {
  next<P extends IdPrefix>(prefix: P): IdByPrefix[P] {
    const time = Date.now().toString(36).padStart(9, '0')
    return `${prefix}_${time}${randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')}` as IdByPrefix[P]
  },
}
