// Access rules of the embedded PostgreSQL: only the OS user that runs Tezi may connect.
import { chown, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Owner } from './os-user.ts'
import type { EngineConnection } from './wait-until-ready.ts'

/** Created with the cluster; for maintenance only. */
export const superuser = 'tezi'
/** Owns the application's tables and has no rights outside the database. */
export const applicationUser = 'tezi_app'

const note = '# Written by Tezi at each start.\n'

/** Writes PostgreSQL's access rules; they apply at its next start. Older versions trusted every client of the socket. */
export async function writeAccessRules(dataDir: string, owner: Owner): Promise<void> {
  const name = `"${userInfo().username}"`
  const files = {
    'pg_hba.conf': 'local all all peer map=tezi\n',
    'pg_ident.conf': [superuser, applicationUser].map((role) => `tezi ${name} ${role}\n`).join(''),
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
  if not exists (select from pg_roles where rolname = '${applicationUser}') then
    create role ${applicationUser} login;
  end if;
  for command in
    select format('alter database %I owner to ${applicationUser}', current_database())
      from pg_database where datname = current_database() and datdba <> '${applicationUser}'::regrole
    union all
    select 'alter schema public owner to ${applicationUser}'
      from pg_namespace where nspname = 'public' and nspowner <> '${applicationUser}'::regrole
    union all
    select format('alter %s public.%I owner to ${applicationUser}',
        case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, relname)
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
        and relowner <> '${applicationUser}'::regrole
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('e', 'a', 'i'))
    union all
    select format('alter routine %s owner to ${applicationUser}', oid::regprocedure)
      from pg_proc where pronamespace = 'public'::regnamespace and proowner <> '${applicationUser}'::regrole
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    union all
    select format('alter type public.%I owner to ${applicationUser}', typname)
      from pg_type where typnamespace = 'public'::regnamespace and typtype in ('d', 'e') and typowner <> '${applicationUser}'::regrole
        and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e')
  loop
    execute command;
  end loop;
end $$`

/** Creates the missing application role and transfers what the superuser of older versions owned, in one transaction. */
export async function ensureApplicationRole(connection: EngineConnection): Promise<void> {
  const client = new Client({ ...connection, user: superuser, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(handOver)
  } finally {
    await client.end()
  }
}
