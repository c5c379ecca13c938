// Format of a database export: one JSON value per line, a header first, and counts and a checksum last.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { z } from 'zod'

const headerSchema = z.object({
  format: z.literal('tezi-export'),
  /** Version of the file format. */
  version: z.literal(1),
  /** Version of Tezi that wrote the file. */
  tezi: z.string(),
  /** The schema of the rows. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
})
const tableSchema = z.object({ table: z.string(), columns: z.array(z.string()).min(1) })
const footerSchema = z.object({
  rows: z.record(z.string(), z.number().int()),
  sequences: z.array(z.object({ table: z.string(), column: z.string(), value: z.string(), isCalled: z.boolean() })),
  /** SHA-256 of all previous lines. */
  sha256: z.string(),
})

export type ExportHeader = z.output<typeof headerSchema>
export type ExportTable = z.output<typeof tableSchema>
export type ExportFooter = z.output<typeof footerSchema>

/** Each row is a line: the JSON array of its values in PostgreSQL's text format, in the order of `columns`. */
export type ExportPart =
  | { readonly kind: 'header'; readonly header: ExportHeader }
  | { readonly kind: 'table'; readonly table: ExportTable }
  | { readonly kind: 'row'; readonly line: string }
  | { readonly kind: 'footer'; readonly footer: ExportFooter }

/** Thrown with one line for the operator. */
export class ExportFileError extends Error {
  override readonly name = 'ExportFileError'
}

/**
 * Reads a file part by part; tables come before their rows and parents before the tables that reference them.
 * @throws ExportFileError for another file, another format version, and a truncated or changed file
 */
export async function* readExport(file: string): AsyncGenerator<ExportPart> {
  const hash = createHash('sha256')
  const rows: Record<string, number> = {}
  let header: ExportHeader | undefined
  let footer: ExportFooter | undefined
  let table = ''
  for await (const line of linesOf(file)) {
    if (footer !== undefined) throw damaged(file, 'it goes on after its end')
    if (header === undefined) {
      header = parse(headerSchema, line)
      if (header === undefined) throw new ExportFileError(`${file} is not an export that this version of Tezi reads`)
      yield { kind: 'header', header }
    } else if (line.startsWith('[')) {
      if (table === '') throw damaged(file, 'a row comes before its table')
      rows[table] = (rows[table] ?? 0) + 1
      yield { kind: 'row', line }
    } else {
      footer = parse(footerSchema, line)
      if (footer !== undefined) continue
      const next = parse(tableSchema, line)
      if (next === undefined || next.table in rows) throw damaged(file, 'a line is neither a table nor a row')
      table = next.table
      rows[table] = 0
      yield { kind: 'table', table: next }
    }
    hash.update(`${line}\n`)
  }
  if (header === undefined || footer === undefined) throw damaged(file, 'its end is missing')
  if (hash.digest('hex') !== footer.sha256) throw damaged(file, 'its checksum is another')
  if (!sameCounts(rows, footer.rows)) throw damaged(file, 'its row counts are others')
  yield { kind: 'footer', footer }
}

/** Whether both list the same tables with the same row counts. */
export function sameCounts(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

function damaged(file: string, reason: string): ExportFileError {
  return new ExportFileError(`${file} is damaged: ${reason}; nothing was imported`)
}

function parse<T>(schema: z.ZodType<T>, line: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** Splits at line feeds only; `readline` also splits at U+2028, which values may contain. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
