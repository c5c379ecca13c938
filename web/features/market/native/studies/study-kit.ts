// All that draws studies, in one file that is fetched when the first of them is switched on.
import { studies } from '#shared/market/indicators/registry.ts'
import { intrabarFeed } from './intrabar-feed.ts'
import { officialFeed } from './official-periods.ts'
import { studyLayers } from './study-layers.ts'

export const studyKit = { studies, layersOf: studyLayers, intrabarsOf: intrabarFeed, officialOf: officialFeed }

export type StudyKit = typeof studyKit
