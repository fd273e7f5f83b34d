// The program of the Python package: that of libmirrorball.so, in a process of its own.
extern "C" int mirrorball_main(int argc, char** argv);

int main(int argc, char** argv) { return mirrorball_main(argc, argv); }
