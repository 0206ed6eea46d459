export type { NodeSensor as Sensor, SensorClass, SensorService, SensorLogger } from './node-sensor/contract';
export type { SensorTrigger } from './process/protocol';
export { createSensorContainer, type SensorContainerDeps } from './sensor-container';
