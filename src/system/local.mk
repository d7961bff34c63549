prc_headers += %D%/system.h
