import { choice, int, str } from '../option';

export const syslog = {
  host: str('127.0.0.1', 'Host of the syslog server.'),
  port: int(514, 'Port of the syslog server.', { minimum: 1 }),
  facility: str('local7', 'Facility of the lines.'),
  protocol: choice(['udp', 'tcp'], 'udp', 'Transport of the lines.'),
};
