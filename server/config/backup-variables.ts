// Backup settings, for the environment schema in config.ts.
import path from 'node:path'
import { z } from 'zod'
import { key32, urlOf } from './variable-kinds.ts'

export interface BackupConfig {
  /** Absolute path of the backup folder. */
  readonly dir: string
  /** 32 bytes each: of BACKUP_KEY, which encrypts, and of BACKUP_KEY_PREVIOUS, which still decrypts. */
  readonly keys: readonly [Buffer, ...Buffer[]]
  /** How long base backups are kept. */
  readonly days: number
  /** The server of DATABASE_URL for a role that may replicate; undefined for the embedded database. */
  readonly databaseUrl: string | undefined
}

/** Longest retention that the privacy notice allows. */
const daysMax = 35
const daysText = `must be a whole number from 1 to ${daysMax}`

export const backupVariables = {
  BACKUP_DIR: z.string().optional(),
  BACKUP_DATABASE_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  BACKUP_KEY: key32.optional(),
  BACKUP_KEY_PREVIOUS: key32.optional(),
  BACKUP_DAYS: z
    .string()
    .regex(/^\d{1,2}$/, daysText)
    .transform(Number)
    .refine((days) => days >= 1 && days <= daysMax, daysText)
    .default(14),
}

interface BackupValues {
  readonly BACKUP_DIR?: string | undefined
  readonly BACKUP_KEY?: Buffer | undefined
  readonly BACKUP_KEY_PREVIOUS?: Buffer | undefined
  readonly BACKUP_DAYS: number
  readonly BACKUP_DATABASE_URL?: string | undefined
  readonly DATABASE_URL?: string | undefined
  readonly DATA_DIR: string
}

/** The settings, undefined without BACKUP_DIR; or why they cannot be used. */
export function backupConfigOf(values: BackupValues): BackupConfig | undefined | { readonly issue: string } {
  const { BACKUP_DATABASE_URL: databaseUrl, DATABASE_URL } = values
  if (databaseUrl !== undefined && DATABASE_URL === undefined) return { issue: 'BACKUP_DATABASE_URL: needs DATABASE_URL' }
  const { BACKUP_DIR, BACKUP_KEY, BACKUP_KEY_PREVIOUS: previous, BACKUP_DAYS: days, DATA_DIR } = values
  if (BACKUP_DIR === undefined) return undefined
  if (BACKUP_KEY === undefined) return { issue: 'BACKUP_KEY: must be set with BACKUP_DIR (openssl rand -base64 32)' }
  const dir = path.resolve(BACKUP_DIR)
  const within = path.relative(path.resolve(DATA_DIR), dir)
  if (!within.startsWith('..') && !path.isAbsolute(within)) return { issue: 'BACKUP_DIR: must not be inside DATA_DIR' }
  return { dir, keys: previous === undefined ? [BACKUP_KEY] : [BACKUP_KEY, previous], days, databaseUrl }
}
