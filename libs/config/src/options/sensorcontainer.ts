import { bool, dict, str } from '../option';
import { loggingFile } from './logging-file';

export const sensorcontainer = {
  sensor_node_name: str('sensornode1', 'Name of this node among the partitions of sensors.'),
  partition_provider: dict({ name: 'default' }, 'How sensors are divided among nodes: default, kvstore, file or hash.'),
  single_sensor_mode: bool(false, 'Run one sensor and end with it.'),
  logging: loggingFile,
};
