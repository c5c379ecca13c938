// The workspace of an account and its drawings: bounded, versioned, and premium where the instrument is.
import { AppError } from '#shared/http/app-error.ts'
import { drawingsBytesMax, readDrawings, type Drawing } from '#shared/drawings/drawing.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import { findAccessRestriction } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { jsonBytesOf } from '#shared/workspace/json-bytes.ts'
import { readWorkspace, workspaceBytesMax, type Workspace } from '#shared/workspace/workspace.ts'
import type { Db } from '#server/db/database.ts'
import { readDrawingsRow, readWorkspaceRow, writeDrawingsRow, writeWorkspaceRow, type DrawingsKey } from './repository.ts'

interface Deps {
  readonly db: Db
  /** Epoch milliseconds. */
  readonly now: () => number
}

type Owner = Pick<User, '_id' | 'role' | 'isPremium' | 'mustChangePassword' | 'consent'>

export interface WorkspaceState {
  /** 0 if nothing was saved yet. */
  readonly version: number
  readonly workspace: Workspace
}

export interface DrawingsState {
  readonly version: number
  readonly drawings: readonly Drawing[]
}

export type WorkspaceService = ReturnType<typeof workspaceService>

export function workspaceService({ db, now }: Deps) {
  const save = (version: number, value: unknown) => ({ version, json: JSON.stringify(value), at: new Date(now()) })
  return {
    async read(owner: Owner): Promise<WorkspaceState> {
      const { version, value } = await readWorkspaceRow(db, owner._id)
      return { version, workspace: readWorkspace(value) }
    },
    /** Returns the new version. Throws `too-large`, and `conflict` if the replaced version is not the stored one. */
    async save(owner: Owner, { version, workspace }: WorkspaceState): Promise<number> {
      rejectLarge(workspace, workspaceBytesMax)
      return nextVersion(version, await writeWorkspaceRow(db, owner._id, save(version, workspace)))
    },
    /** Throws `not-found` for an unknown instrument and `forbidden` for one that needs premium; likewise `saveDrawings`. */
    async drawings(owner: Owner, slug: string): Promise<DrawingsState> {
      const { version, value } = await readDrawingsRow(db, keyOf(owner, slug))
      return { version, drawings: readDrawings(value) }
    },
    async saveDrawings(owner: Owner, slug: string, { version, drawings }: DrawingsState): Promise<number> {
      const key = keyOf(owner, slug)
      rejectLarge(drawings, drawingsBytesMax)
      return nextVersion(version, await writeDrawingsRow(db, key, save(version, drawings)))
    },
  }
}

function keyOf(owner: Owner, slug: string): DrawingsKey {
  const instrument = findInstrument(slug)
  if (instrument === undefined) throw new AppError('not-found', 'instruments.unknown')
  if (findAccessRestriction(instrument.isFree ? 'signed-in' : 'premium', owner) !== undefined)
    throw new AppError('forbidden', 'http.premiumRequired')
  return { userId: owner._id, series: instrument.series }
}

function rejectLarge(value: unknown, bytesMax: number): void {
  if (jsonBytesOf(value) > bytesMax) throw new AppError('too-large', 'workspace.tooLarge')
}

function nextVersion(version: number, isWritten: boolean): number {
  if (!isWritten) throw new AppError('conflict', 'workspace.savedElsewhere')
  return version + 1
}
