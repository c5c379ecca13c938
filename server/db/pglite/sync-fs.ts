// PGlite's file system with the flush it lacks: a commit reaches the disk, and every flush is counted.
import { fsyncSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { PGlite } from '@electric-sql/pglite'

interface OpenFile {
  readonly nfd?: number
}
type FileSystemModule = { stream_ops: { fsync?: (stream: OpenFile) => number } }
/** The place of the hook has moved between versions of PGlite; both are looked at. */
interface EngineModule {
  readonly NODEFS?: FileSystemModule
  readonly FS: { readonly filesystems?: { readonly NODEFS?: FileSystemModule } }
}

type StartOptions = Parameters<NodeFS['init']>[1]

/** As shipped, PGlite never calls fsync at all, and a power cut loses acknowledged rows. */
export class SyncFs extends NodeFS {
  /** Flushes since the start. */
  syncs = 0

  override async init(engine: PGlite, options: StartOptions): Promise<{ emscriptenOpts: StartOptions }> {
    const started = await super.init(engine, options)
    const hook = (module: unknown): void => {
      const { NODEFS, FS } = module as EngineModule
      const fileSystem = NODEFS ?? FS.filesystems?.NODEFS
      if (!fileSystem) return
      fileSystem.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fsyncSync(stream.nfd)
        this.syncs += 1
        return 0
      }
    }
    return { emscriptenOpts: { ...started.emscriptenOpts, preRun: [...(started.emscriptenOpts.preRun ?? []), hook] } }
  }
}
