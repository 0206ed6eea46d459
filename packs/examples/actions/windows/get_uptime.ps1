# Prints the seconds since the host started.
Get-CimInstance -ClassName Win32_PerfFormattedData_PerfOS_System | Select-Object -ExpandProperty SystemUpTime
