// Compressed bodies of pages that browsers keep: each is compressed once for all users.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

export interface KeptPages {
  /** The compressed body of a version; concurrent callers share one compression, and failures are not kept. */
  compressed(version: string, body: () => Buffer): Promise<Buffer>
}

/** Keeps at most `pagesMax` (about 20 kB each), least recently used first out. */
export function keptPages(pagesMax = 500): KeptPages {
  const bodies = new Map<string, Promise<Buffer>>()
  return {
    compressed(version, body) {
      const known = bodies.get(version)
      const made = known ?? compress(body())
      bodies.delete(version)
      bodies.set(version, made)
      if (known === undefined) made.catch(() => bodies.delete(version))
      const [oldest] = bodies.keys()
      if (bodies.size > pagesMax && oldest !== undefined) bodies.delete(oldest)
      return made
    },
  }
}
