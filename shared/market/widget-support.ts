// What the provider's free widget can show of an instrument.
export const widgetSupports = ['live', 'end-of-day', 'none'] as const

export type WidgetSupport = (typeof widgetSupports)[number]
