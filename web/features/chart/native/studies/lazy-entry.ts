// Lazy-loaded entry point of all study code, fetched when the first study is switched on.
import { studyDataFollower } from './follow-study-data.ts'
import { StudyLayers, type StudyLayersOptions } from './study-layers.ts'
import { PaneLegends, PriceStudies } from './study-legends.tsx'

export const studyKit = {
  layersOf: (options: StudyLayersOptions) => new StudyLayers(options),
  dataOf: studyDataFollower,
  PriceStudies,
  PaneLegends,
}

export type StudyKit = typeof studyKit
