export { timerSchedule, type TimerFrame, type TimerSchedule } from './timer-schedule';
