import type { CatalogueEntry } from './catalogue';

/** The sensor container and its sensors. */
export const sensorErrors = {
  'sensor.partition-unknown': {
    status: 500,
    template: 'sensorcontainer.partition_provider: there is no provider "{name}"; expected one of {known}',
  },
  'sensor.partition-option': {
    status: 500,
    template: 'sensorcontainer.partition_provider: the provider "{name}" needs the option "{option}"',
  },
  'sensor.hash-ranges': {
    status: 500,
    template:
      'sensorcontainer.partition_provider: "{range}" is not a valid hash range; expected START..END, for example 0..1024 or 2048..MAX, with START not above END',
  },
  'sensor.partition-file': { status: 500, template: 'The partition file "{path}" cannot be used: {reason}' },
  'sensor.no-reference': {
    status: 500,
    template: 'sensorcontainer.single_sensor_mode needs the reference of a sensor (--sensor-ref PACK.CLASS)',
  },
  'sensor.log-place': {
    status: 400,
    template: 'The parameter after is not the "next" of a log that was read before',
  },
  'sensor.unknown': { status: 404, template: 'There is no sensor "{ref}"' },
  'sensor.no-virtualenv': {
    status: 500,
    template:
      'The pack "{pack}" has a requirements.txt but no virtual environment: "{python}" does not exist. Set up the pack first',
  },
  'sensor.no-file': { status: 500, template: 'There is no file "{path}"' },
  'sensor.lost': {
    status: 409,
    template: 'The sensor "{ref}" was taken over by another container, so its event is not stored',
  },
  'sensor.call': { status: 400, template: 'Invalid call of the sensor: {reason}' },
} as const satisfies Record<string, CatalogueEntry>;
