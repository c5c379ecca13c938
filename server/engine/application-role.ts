// Access rules of the embedded PostgreSQL: only the OS user that runs Tezi may connect.
import { chown, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { OsUser } from './os-user.ts'

export interface EngineConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}
/** Created with the cluster; for maintenance only. */
export const superuser = 'tezi'
/** Owns the application's tables and has no rights outside the database. */
export const applicationRole = 'tezi_app'

const note = '# Written by Tezi at each start.\n'

/** Writes PostgreSQL's access rules; they apply at its next start. Older versions trusted every client of the socket. */
export async function writeAccessRules(dataDir: string, owner: OsUser): Promise<void> {
  const name = `"${userInfo().username}"`
  const files = {
    'pg_hba.conf': 'local all all peer map=tezi\n',
    'pg_ident.conf': [superuser, applicationRole].map((role) => `tezi ${name} ${role}\n`).join(''),
  }
  for (const [file, text] of Object.entries(files)) {
    const path = join(dataDir, file)
    await writeFile(path, note + text, { mode: 0o600 })
    if (owner) await chown(path, owner.uid, owner.gid)
  }
}

// The superuser owned everything in older versions. Objects of an extension, a column or a table follow automatically.
const handOver = `
do $$
declare command text;
begin
  if not exists (select from pg_roles where rolname = '${applicationRole}') then
    create role ${applicationRole} login;
  end if;
  for command in
    select format('alter database %I owner to ${applicationRole}', current_database())
      from pg_database where datname = current_database() and datdba <> '${applicationRole}'::regrole
    union all
    select 'alter schema public owner to ${applicationRole}'
      from pg_namespace where nspname = 'public' and nspowner <> '${applicationRole}'::regrole
    union all
    select format('alter %s public.%I owner to ${applicationRole}',
        case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, relname)
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
        and relowner <> '${applicationRole}'::regrole
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('e', 'a', 'i'))
    union all
    select format('alter routine %s owner to ${applicationRole}', oid::regprocedure)
      from pg_proc where pronamespace = 'public'::regnamespace and proowner <> '${applicationRole}'::regrole
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    union all
    select format('alter type public.%I owner to ${applicationRole}', typname)
      from pg_type where typnamespace = 'public'::regnamespace and typtype in ('d', 'e') and typowner <> '${applicationRole}'::regrole
        and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e')
  loop
    execute command;
  end loop;
end $$`

/** Tables that triggers protect, and the functions that these triggers run. */
const protectedTables = ['audit_log', 'consents', 'erasures']
const triggerFunctions = [
  'refuse_change()',
  'guard_audit_log()',
  'guard_consents()',
  'forget_in_audit_log()',
  'is_erased(uuid)',
  'pseudonym_of(uuid)',
  'hash_address(text)',
]

// Who owns a table can turn its triggers off, and who owns the schema can drop their functions.
const seal = `
alter schema public owner to ${superuser};
grant usage, create on schema public to ${applicationRole};
${protectedTables
  .map(
    (table) => `alter table ${table} owner to ${superuser};
grant select, insert, update, delete on ${table} to ${applicationRole};`,
  )
  .join('\n')}
${triggerFunctions
  .map(
    (routine) => `alter function ${routine} owner to ${superuser};
alter function ${routine} set search_path = public, pg_temp;`,
  )
  .join('\n')}`

/**
 * Takes the audit log, consents and erasures from the application role until the next start, which hands them back for
 * migrations: the role cannot turn their triggers off while it serves.
 */
export function sealAudit(connection: EngineConnection): Promise<void> {
  return asSuperuser(connection, seal)
}

/** Creates the missing application role and transfers what the superuser of older versions owned, in one transaction. */
export function ensureApplicationRole(connection: EngineConnection): Promise<void> {
  return asSuperuser(connection, handOver)
}

/** Several statements are one transaction. */
async function asSuperuser(connection: EngineConnection, text: string): Promise<void> {
  const client = new Client({ ...connection, user: superuser, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
