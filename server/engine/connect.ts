// Connections of backups and restores.
import { Client, type ClientConfig } from 'pg'

/**
 * @param signal cuts the connection, which rejects what is running on it
 * @throws Error if the server does not answer within 10 seconds or rejects the user
 */
export async function connect(config: ClientConfig & { replication?: string }, signal?: AbortSignal): Promise<Client> {
  const client = new Client({ ...config, connectionTimeoutMillis: 10_000, application_name: 'tezi backup' })
  // A broken connection also rejects what is running on it.
  client.on('error', () => {})
  signal?.throwIfAborted()
  await client.connect()
  const cut = (): void => void client.connection.stream.destroy()
  signal?.addEventListener('abort', cut)
  client.on('end', () => signal?.removeEventListener('abort', cut))
  return client
}
