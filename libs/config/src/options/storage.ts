import { choice } from '../option';

export const storage = {
  driver: choice(
    ['embedded', 'mongodb'],
    'embedded',
    'Where records live: files under system.base_path, or [database].',
  ),
  durability: choice(
    ['commit', 'flush'],
    'commit',
    'Embedded store: commit survives the end of the process, flush also waits for the disk and survives a power cut.',
  ),
};
