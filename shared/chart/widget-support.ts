// What the provider's free widget has of an instrument.
export const widgetSupports = ['live', 'end-of-day', 'none'] as const

export type WidgetSupport = (typeof widgetSupports)[number]
