// A world for one test, ended whatever the test does.
import { feedWorld, type FeedSubject, type FeedWorld } from './feed-world.ts'

/** Runs a test against a feed and its exchange, which end with the test. */
export async function inWorld(subject: FeedSubject, run: (world: FeedWorld) => Promise<void>): Promise<void> {
  await run(await feedWorld(subject))
}
